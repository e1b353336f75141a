// Player: shows a scene recording in an element of a page: the picture, its controls and its story.

import { Chances } from "./chances.js";
import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { icon, make } from "./dom.js";
import { Gauge } from "./gauge.js";
import { helpDialog } from "./help.js";
import { Marks } from "./marks.js";
import { Pace } from "./pace.js";
import { Ruler } from "./ruler.js";
import { Picture } from "./picture.js";
import { Sound } from "./sound.js";
import { Story } from "./story.js";
import { Tags } from "./tags.js";
import { Things } from "./things.js";

const NUDGE_MS = 8;
const STILL_MS = 1; // a recording that is no longer only shows how things look: there is nothing to play

export class Player {
  /**
   * Show a recording; throws an Error where the browser has no WebGL.
   *
   * @param {HTMLElement} element - where; it is emptied
   * @param {object} recording - a document of the schema brickphys.view/1
   * @param {Player} [former] - the player that was here: its picture is used again, which is faster than a new one
   * @param {boolean} [isSame] - the former one shows the same scene: camera, speed and names stay as they are
   */
  constructor(element, recording, former, isSame = false) {
    const hadFocus = former && document.activeElement === former.picture.canvas;
    this.picture = former ? former.leave() : new Picture(make("div", { className: "picture" }), recording);
    if (former) this.picture.change(recording, isSame);
    const frame = this.picture.element;
    this.element = element;
    this.picture.canvas.setAttribute("role", "img");
    this.picture.canvas.setAttribute("aria-label", `${recording.title}. ${recording.about}`);
    this.picture.canvas.tabIndex = 0;
    this.things = new Things(recording, this.picture.scene);
    this.marks = new Marks(recording, this.picture.scene);
    const names = make("div", { className: "tags" });
    names.setAttribute("aria-hidden", "true");
    this.tags = new Tags(names, this.picture, this.things, this.marks, recording.colours);
    if (recording.ruler) this.tags.ruler = new Ruler(recording.ruler, recording.step_mm, this.picture);
    this.clock = new Clock(recording.duration_ms, recording.speed, () => this.show());
    this.pace = new Pace((level) => {
      this.things.setDetails(level.details);
      this.picture.setQuality(level);
    });
    this.clock.onFrame = (ms) => this.pace.drawn(ms);
    this.story = new Story(recording.events, (ms) => this.go(ms));
    this.sound = new Sound(recording);
    this.heardMs = 0;
    this.controls = new Controls(this, recording);
    this.gauges = recording.gauges.map((gauge) => new Gauge(gauge));
    if (recording.chances) this.chances = new Chances(recording.chances, recording.duration_ms, (ms) => this.go(ms));
    this.help = helpDialog();
    this.recording = recording;
    const begin = make("button", { type: "button", className: "begin", }, icon("play"), " Play");
    begin.addEventListener("click", () => this.toggle());
    this.begin = begin;
    const compass = this.tags.ruler ? [this.tags.ruler.compass] : [];
    frame.replaceChildren(this.picture.canvas, names, ...compass, begin);
    element.replaceChildren(
      make(
        "div",
        { className: "stage" },
        frame,
        ...(this.chances ? [this.chances.element] : []),
        this.story.caption,
        this.controls.element,
      ),
      ...this.gauges.map((one) => one.element),
      make(
        "section",
        { className: "story", ariaLabel: "Story" },
        make("h2", { textContent: "What happens" }),
        this.story.list,
      ),
      this.help,
    );
    element.classList.add("player");
    element.classList.toggle("still", recording.duration_ms <= STILL_MS);
    this.picture.onDrawn = () => this.tags.show();
    this.press = (event) => this.controls.press(event);
    document.addEventListener("keydown", this.press);
    if (isSame) this.keep(former);
    if (hadFocus) this.picture.canvas.focus();
    this.story.isQuiet = isSame; // a change of the scene is told by the page
    this.show();
    this.story.isQuiet = false;
    this.picture.resize();
  }

  /** Give back what the browser has lent. */
  close() {
    this.leave().close();
  }

  /** Stop, and return the picture, empty. */
  leave() {
    this.clock.isRunning = false;
    document.removeEventListener("keydown", this.press);
    this.things.remove();
    this.marks.remove();
    return this.picture;
  }

  /** Take over what somebody has set in the player that was here. */
  keep(former) {
    if (former.recording.speed === this.recording.speed) this.controls.setSpeed(former.clock.speed);
    if (former.recording.views.length === this.recording.views.length) {
      this.controls.view.value = former.controls.view.value;
      this.turned = former.turned;
    }
    if (!former.tags.isOn) this.toggleNames();
    this.sound.context = former.sound.context;
  }

  /** Show everything as it is now. */
  show() {
    const { ms } = this.clock;
    this.things.show(ms);
    this.marks.show(ms);
    this.story.show(ms);
    if (this.clock.isRunning && ms > this.heardMs) this.sound.play(this.heardMs, ms);
    this.heardMs = ms;
    for (const gauge of this.gauges) gauge.show(ms);
    this.chances?.show(ms);
    this.controls.show(this.clock, this.story.at(ms), this.recording.events.length);
    this.turn(ms);
    const { follows } = this.picture.view;
    if (follows) this.picture.follow(this.things.placeOf(follows));
    this.begin.hidden = this.clock.isRunning || ms > 0;
    this.picture.draw();
    this.pace.run(this.clock.isRunning);
  }

  toggle() {
    if (this.clock.isRunning) this.clock.pause();
    else this.clock.play();
  }

  /** Go to the event before (-1) or the next one (1). */
  step(by) {
    this.go(this.story.step(this.clock.ms, by));
  }

  /** Go to a time; look again as the view says if nothing that moves then is in the picture. */
  go(ms) {
    this.clock.seek(ms);
    const moving = this.things.moving.filter(({ node }) => node.visible);
    if (!moving.length || moving.some(({ thing }) => this.picture.sees(this.things.placeOf(thing.id)))) return;
    this.look(Number(this.controls.view.value));
  }

  /** Go a little back (-1) or on (1). */
  nudge(by) {
    this.clock.seek(this.clock.ms + by * NUDGE_MS * (this.recording.is_physical ? 1 : 10));
  }

  /** Turn to the view that belongs to a time, unless somebody has chosen another one. */
  turn(ms) {
    const { views } = this.recording;
    const number = views.reduce((last, view, own) => (view.from_ms !== null && view.from_ms <= ms ? own : last), 0);
    if (number === this.turned || this.picture.isMoved) return;
    this.turned = number;
    this.look(number);
  }

  look(number) {
    const view = this.recording.views[number];
    this.picture.look(view, view.follows ? this.things.placeOf(view.follows) : undefined);
    this.controls.view.value = number;
  }

  toggleSound() {
    this.sound.toggle();
    this.controls.sound.setAttribute("aria-pressed", String(this.sound.isOn));
  }

  toggleNames() {
    this.tags.isOn = !this.tags.isOn;
    this.controls.names.setAttribute("aria-pressed", String(this.tags.isOn));
    this.picture.draw();
  }
}
