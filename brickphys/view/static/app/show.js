// Show: puts the player of a scene into a page of the app, in the place of the one that is there.

import { make } from "../player/dom.js";
import { Player } from "../player/player.js";
import { Story } from "../player/story.js";
import { Arrange } from "./arrange.js";

const MISSING = "This browser shows no pictures in three dimensions: WebGL is missing.";
let last = 0;

/**
 * @param {object} wanted
 * @param {string} wanted.id - of the element
 * @param {string} wanted.scene - address of the recording
 * @param {boolean} wanted.isSame - whether it is the same scene as before
 * @param {object?} wanted.arrange - what can be moved, see `Arrange`
 * @param {boolean} wanted.isOver - whether its end is shown
 * @param {boolean} wanted.plays - whether it is scrolled into view, and plays unless little is to move in this browser
 */
export async function show({ id, scene, isSame, arrange, plays, isOver }) {
  const number = ++last;
  const answer = await fetch(scene);
  if (!answer.ok) return; // another one has taken its place
  const recording = await answer.json();
  await globalThis.arrange?.idle();
  if (number !== last) return;
  const element = document.getElementById(id);
  const former = globalThis.player?.element === element ? globalThis.player : undefined;
  globalThis.arrange?.close();
  globalThis.arrange = undefined;
  try {
    if (!former) globalThis.player?.close();
    globalThis.player = new Player(element, recording, former, isSame && former !== undefined);
  } catch (error) {
    console.warn(error);
    tell(element, recording.events);
    return;
  }
  if (plays) {
    globalThis.player.picture.element.scrollIntoView({ block: "nearest" });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) globalThis.player.clock.play();
  }
  if (isOver) globalThis.player.clock.seek(globalThis.player.clock.endMs);
  if (arrange) globalThis.arrange = new Arrange(globalThis.player, arrange);
}

/** Tell events as text, where the browser shows no picture of them; return the story. */
export function tell(element, events) {
  const story = new Story(events, () => {});
  const list = make("section", { className: "story", ariaLabel: "Story" }, story.list);
  element.replaceChildren(make("p", { textContent: MISSING }), list);
  return story;
}
