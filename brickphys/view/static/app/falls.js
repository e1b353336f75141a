// Falls: the bricks of a game's rolls fall in a corner of its picture, each roll in its time.

import { make } from "../player/dom.js";
import { Marks } from "../player/marks.js";
import { Picture } from "../player/picture.js";
import { Things } from "../player/things.js";

export class Falls {
  /** Show falls in an element, over what is there. */
  constructor(element) {
    this.falls = [];
    this.place = make("div", { className: "fall-picture" });
    this.caption = make("figcaption");
    this.element = make("figure", { className: "fall", hidden: true }, this.place, this.caption);
    this.element.setAttribute("aria-hidden", "true"); // the story tells it
    element.append(this.element);
  }

  /** Add the recording of a roll that is seen between two times of the game. */
  add(startMs, stopMs, recording) {
    this.falls.push({ startMs, stopMs, recording });
  }

  /** Show the bricks of a time of the game. */
  show(ms) {
    const fall = this.falls.findLast(({ startMs }) => startMs <= ms);
    const isSeen = fall !== undefined && ms < fall.stopMs; // it covers nothing once all has been shown
    this.element.hidden = !isSeen;
    if (!isSeen) return;
    if (fall !== this.fall) this.begin(fall);
    const { recording } = fall;
    const ownMs = Math.min((ms - fall.startMs) * recording.speed, recording.duration_ms);
    this.things.show(ownMs);
    this.marks.show(ownMs);
    const event = recording.events.findLast((one) => one.ms <= ownMs);
    if (this.caption.textContent !== event.text) this.caption.textContent = event.text;
    this.picture.draw();
  }

  begin(fall) {
    this.empty();
    this.fall = fall;
    if (this.picture) this.picture.change(fall.recording, false);
    else this.picture = new Picture(this.place, fall.recording);
    this.things = new Things(fall.recording, this.picture.scene);
    this.marks = new Marks(fall.recording, this.picture.scene);
  }

  empty() {
    this.things?.remove();
    this.marks?.remove();
    this.fall = undefined;
  }

  /** Give back what the browser has lent. */
  close() {
    this.empty();
    this.picture?.close();
    this.element.remove();
  }
}
