// Still: draws recordings as they begin, one after the other, and keeps images: a browser has few pictures at once.

import { make } from "../player/dom.js";
import { Picture } from "../player/picture.js";
import { Things } from "../player/things.js";

let drawing = Promise.resolve();

/** Draw the recording at an address into an image in an element; where WebGL is missing there is none. */
export function still({ id, scene }) {
  drawing = drawing.then(() => draw(document.getElementById(id), scene)).catch((error) => console.warn(error));
}

async function draw(element, scene) {
  const answer = await fetch(scene);
  if (!answer.ok || !element) return; // another one has taken its place
  const recording = await answer.json();
  const frame = make("div", { className: "picture", inert: true });
  element.append(frame);
  const picture = new Picture(frame, recording);
  new Things(recording, picture.scene);
  picture.paint();
  element.replaceChildren(make("img", { src: picture.canvas.toDataURL("image/webp"), alt: recording.about }));
  picture.close();
}
