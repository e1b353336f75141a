// Live: the player of a recording that grows while a game is played, and whose places one may click.

import { make } from "../player/dom.js";
import { Marks, hatched } from "../player/marks.js";
import { Player } from "../player/player.js";
import { Choices, isNear } from "./choices.js";
import { Select, Turn } from "./drags.js";
import { Falls } from "./falls.js";
import { Pick } from "./pick.js";
import { tell } from "./show.js";

const LEAST = 7; // pixels of the radius of a place that is not a square
const STILL = 6; // pixels that a click may move
const SHOWN_MS = 100; // until the page has its new choices
const SKIP_MS = 1500; // a picture that plays on for less needs no button that leads to its end
const MOST_MS = 1000; // that a picture waits for words; a page that is hidden is never painted
const ASK_MS = 80; // that one points at a choice until it is asked what would come of it
const STAR = 22; // pixels from a star to its name
const CHOICE = ".live-here :is(button, .q-item)"; // the choices, or what can be done at the end
const NOWHERE = [-1000, -1000]; // in mm: on no table
const HURRY_MS = 6000; // whoever chooses while more than that is still to be played does not wait for it

export class LivePlayer extends Player {
  /**
   * Show a recording at its end; the element hears "picked" with `{ at: [x, y] in mm, thing }` of what is clicked.
   *
   * @param {HTMLElement} element - where
   * @param {object} recording - what has happened so far
   * @param {LivePlayer?} former - the one that was there: its picture is used on; its camera stays if the game is the same
   */
  constructor(element, recording, former) {
    super(element, recording, former, former?.recording.title === recording.title);
    element.classList.add("live");
    this.begin.remove();
    this.choices = new Choices(this.picture, recording.ruler?.columns?.length ? 0 : LEAST);
    this.tags.more = () => this.texts();
    this.pick = new Pick(this.picture, this.things);
    this.falls = new Falls(this.picture.element);
    this.now = make("button", { type: "button", className: "begin now", hidden: true }, "Back to now");
    this.now.addEventListener("click", () => this.clock.seek(this.clock.endMs));
    this.words = make("p", { className: "preview", hidden: true });
    this.picture.element.append(this.now, this.words);
    this.previews = new Map();
    this.was = new Map();
    this.tale = make("button", { type: "button", ariaLabel: "What has happened" }, "Story");
    this.tale.addEventListener("click", () => this.openStory(!element.classList.contains("told")));
    this.controls.element.append(this.tale);
    const isWarned = former?.dangers?.ariaPressed === "true";
    this.dangers = this.tool("t", "Danger", "what enemies could attack in their next turn", isWarned, () => this.threaten());
    const { glide } = this.picture;
    const follows = this.tool("f", "Follow", "keep who acts in the picture", glide.isOn, (isOn) => (glide.isOn = isOn));
    this.picture.element.append(make("div", { className: "live-tools" }, this.dangers, follows));
    this.openStory(element.classList.contains("told"));
    this.listen(this.picture.canvas);
    this.clock.seek(this.clock.endMs);
    this.askedMs = this.clock.endMs;
  }

  /** Show what has happened as a list over the picture, or hide it. */
  openStory(isOpen) {
    this.element.classList.toggle("told", isOpen);
    this.tale.ariaExpanded = String(isOpen);
  }

  /** Return a button that turns something on or off, and does so by a key. */
  tool(key, text, about, isOn, turn) {
    const words = { ariaLabel: `${text}: ${about}`, title: `${about} (${key})`, ariaPressed: String(isOn) };
    const button = make("button", { type: "button", ...words }, text);
    button.addEventListener("click", () => {
      button.ariaPressed = String(button.ariaPressed === "false");
      turn(button.ariaPressed === "true");
    });
    this.controls.more[key] = () => button.click();
    return button;
  }

  /** Ask what enemies could attack now, if somebody wants it; else show it no more. */
  threaten() {
    const isOn = this.dangers.ariaPressed === "true";
    if (isOn || this.warned) this.say("threatened", isOn);
    if (isOn) document.querySelector(".live-panel")?.scrollTo(0, 0); // there it is told
  }

  /** Draw what enemies could attack, in place of what they could before; undefined for nothing. */
  warn(found) {
    this.warned?.remove();
    this.warned = found && new Marks(found, this.picture.scene, { area: hatched });
    this.warned?.show(0);
    if (found) this.dangers.ariaPressed = "true";
    this.picture.draw();
  }

  say(name, detail) {
    this.element.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Keep what moves in the picture. */
  attend() {
    const { moving } = this.things;
    const isNew = ({ thing, node }) => node.visible && this.was.get(thing.id)?.distanceTo(node.position) > 0;
    const moved = moving.find((one) => !one.thing.parent && isNew(one));
    this.was = new Map(moving.map(({ thing, node }) => [thing.id, node.position.clone()]));
    if (moved && this.clock.isRunning) this.picture.glide.attend(moved.node.position);
  }

  /** Add what has happened since, and play it. */
  extend(part) {
    const { recording, clock } = this;
    const endMs = clock.endMs;
    Object.assign(recording.shapes, part.shapes);
    Object.assign(recording.colours, part.colours);
    for (const thing of part.things) this.put(thing);
    for (const mark of part.marks) this.marks.add(mark);
    for (const event of part.events) this.story.add(event);
    recording.events.push(...part.events);
    recording.duration_ms = clock.endMs = part.duration_ms;
    this.controls.slider.max = part.duration_ms;
    this.tags.find();
    if (clock.endMs === endMs) return this.show();
    if (clock.ms < this.askedMs - HURRY_MS) clock.seek(this.askedMs);
    clock.play();
  }

  /** Show everything as it is at the time of the clock, and the bricks that fall; the places are those of now. */
  show() {
    if (this.choices) this.showChoices(); // the first picture is drawn before there can be any
    super.show();
    if (!this.falls) return;
    this.attend();
    this.falls.show(this.clock.ms);
    const leftMs = this.clock.endMs - this.clock.ms;
    this.now.hidden = leftMs <= (this.clock.isRunning ? SKIP_MS : 0);
    this.now.textContent = this.clock.isRunning ? "Skip to now" : "Back to now";
  }

  /** Show the places unless the past is seen; the pale piece only once all is played, where neither it nor a preview is. */
  showChoices() {
    const { choices, clock } = this;
    choices.setShown(!this.isPast);
    if (!choices.pale) return;
    choices.pale.visible = clock.ms >= clock.endMs && !choices.previewed?.length && !this.thingAt(this.here);
  }

  /** Whether somebody looks at what was. */
  get isPast() {
    return !this.clock.isRunning && this.clock.ms < this.clock.endMs;
  }

  /** Ask a person, who may click on places that are lit, or go on with the keyboard; choices turn who acts to headings. */
  offer(places, size_mm, here, turns) {
    setTimeout(() => this.ready(), SHOWN_MS);
    this.askedMs = this.clock.endMs;
    this.light(places, size_mm, here);
    this.facing.turns = turns;
    this.threaten();
  }

  /** Let the keyboard be used, and what may be clicked be seen, wherever the page has been scrolled to. */
  ready() {
    focusChoices();
    const panel = document.querySelector(".live-panel");
    panel?.scrollTo(0, 0);
    const seen = this.choices.places.length ? this.picture.element : document.querySelector(CHOICE);
    seen?.scrollIntoView({ block: "nearest" });
  }

  light(places, size_mm, here) {
    this.tags.acting = here ? (this.thingAt(here) ?? this.tags.acting) : undefined;
    const acting = this.things.nodes.get(this.tags.acting);
    this.facing.turns = [];
    this.base = undefined;
    this.point(undefined);
    this.sketch(undefined);
    document.querySelector(".live-odds")?.replaceChildren();
    this.previews.clear();
    this.choices.show(places, size_mm, here, this.thingAt(here) ? undefined : acting?.node);
    this.tags.forget("choice ");
    this.here = here;
    if (here) this.picture.glide.attend(this.picture.controls.target.clone().set(...here.at));
    this.showChoices();
    this.picture.draw();
  }

  /** Return the id of the piece that stands at a place. */
  thingAt(here) {
    const isThere = ({ thing }) => isNear(here, this.things.placeOf(thing.id));
    return here && this.tags.tagged.find(isThere)?.thing.id;
  }

  /** Point at a choice, and at its place, if it has one; a moment later it is seen what would come of it. */
  point(number) {
    if (number === this.pointed) return;
    this.pointed = number;
    const place = this.choices.places[number];
    this.choices.point(place ? number : undefined);
    const pixel = place && this.picture.pixel(this.picture.controls.target.clone().set(...place.at));
    this.words.classList.toggle("low", !(pixel?.y > this.picture.element.clientHeight / 2));
    this.sketch(this.previews.get(number) ?? this.base);
    clearTimeout(this.asking);
    if (number === undefined || this.previews.has(number)) return;
    this.asking = setTimeout(() => this.say("pointed", number), ASK_MS);
  }

  /** Draw what would come of a choice: pale pieces, ways, hulls and stars; undefined for nothing. */
  sketch(found) {
    this.sketched?.remove();
    this.sketched = found && new Marks(found, this.picture.scene);
    this.sketched?.show(0);
    this.choices.ghosts((found?.ghosts ?? []).map((one) => ({ ...one, node: this.things.nodes.get(one.id)?.node })));
    this.showChoices();
    this.words.textContent = found?.words ?? "";
    this.words.hidden = !found?.words;
    const odds = document.querySelector(".live-odds"); // stays until something else is pointed at
    if (odds && found?.more) odds.textContent = found.more;
    this.tags.forget("preview ");
    this.picture.draw();
  }

  /** Let a thing be as the game has it now: another one of its looks takes its place. */
  put(thing) {
    const old = this.things.nodes.get(thing.id);
    if (!old) {
      this.things.add(thing);
      return;
    }
    const looks = ({ shape, colours, parent, label, tag, copies }) =>
      JSON.stringify([shape, colours, parent, label, tag, copies]);
    if (looks(old.thing) === looks(thing)) {
      const { top_mm, half_mm } = old.thing;
      Object.assign(thing, { top_mm, half_mm });
      old.thing = thing;
      if (!this.things.moving.includes(old)) this.things.moving.push(old);
      return;
    }
    const carried = old.node.children.filter((child) => this.things.nodes.get(child.name)?.node === child);
    this.things.moving = this.things.moving.filter((one) => one !== old);
    old.node.removeFromParent();
    this.things.add(thing);
    if (carried.length) this.things.nodes.get(thing.id).node.add(...carried);
  }

  /** Stop, and return the picture, empty. */
  leave() {
    this.heard.abort();
    this.sketch(undefined);
    this.warn(undefined);
    this.choices.clear();
    this.falls.close();
    return super.leave();
  }

  listen(canvas) {
    let pressed;
    this.heard = new AbortController();
    const { signal } = this.heard;
    this.select = new Select(this, signal);
    this.facing = new Turn(this, signal);
    canvas.addEventListener("pointerdown", (event) => {
      pressed = { x: event.clientX, y: event.clientY };
    }, { signal });
    canvas.addEventListener("pointerup", (event) => {
      const moved = pressed ? Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) : STILL;
      pressed = undefined;
      if (moved < STILL && event.button === 0) this.tell(event);
    }, { signal });
    canvas.addEventListener("pointermove", (event) => {
      if (pressed || !this.choices.mesh) return;
      const { number } = this.under(event);
      canvas.style.cursor = number === undefined ? "" : "pointer";
      const count = this.choices.places[number]?.count;
      this.point(count > 1 ? undefined : number); // of several none is meant yet
      this.choices.point(number, count);
    }, { signal });
  }

  /**
   * Tell what is clicked: a place that is lit, a thing with a name, or a place of the ground; of what was, nothing.
   * Of places that are too near to each other for a finger the first touch only shows the words.
   */
  tell(event) {
    if (this.isPast) return;
    const { number, thing, spot } = this.under(event);
    if (this.choices.doubts(number, event)) {
      this.point(number);
      return;
    }
    const at = number === undefined ? (spot?.toArray() ?? NOWHERE) : this.choices.places[number].at;
    this.say("picked", { at: at.slice(0, 2), thing: thing ?? "" });
  }

  /**
   * Return what is nearest under a pointer: the `number` of a place that is lit, or the id of a `thing` with a name,
   * and its place as `spot`; of one that stands at a place that is lit the number, too. Else the `spot` of the ground.
   * The name that is written beside something counts as that.
   */
  under(event) {
    const name = this.tags.under(event);
    if (name?.number !== undefined) return { number: name.number };
    if (name?.thing !== undefined) return this.found(name.thing);
    const lit = this.choices.hit(this.pick, event);
    const met = this.pick.first(event);
    if (lit && !(met?.distance < lit.distance)) return { number: lit.number };
    const thing = met && this.pick.idOf(met, (id) => Boolean(this.things.nodes.get(id).thing.label));
    const isPiece = thing !== undefined && this.things.nodes.get(thing).thing.tag;
    const isJustBehind = lit && lit.distance - met.distance < this.choices.size_mm; // of a door, the stud that it is on
    if (!isPiece && isJustBehind) return { number: lit.number };
    return thing === undefined ? { spot: met?.point, number: this.choices.near(event) } : this.found(thing);
  }

  /** Return a thing with a name, its place, and the number of the place that is lit there. */
  found(thing) {
    const spot = this.things.placeOf(thing);
    return { thing, spot, number: this.choices.numberAt(spot) };
  }

  *texts() {
    for (const { mark, place } of this.sketched?.texts ?? []) {
      const pixel = this.picture.pixel(place);
      const colour = this.sketched.recording.colours[mark.colour];
      const above = pixel && { x: pixel.x, y: pixel.y - STAR, depth: -2 };
      if (pixel) yield { key: `preview ${mark.text}`, text: mark.text, colour, pixel: above };
    }
    for (const { number, text, place, colour } of this.choices.texts()) {
      const pixel = this.picture.pixel(place);
      const shown = `#${colour.toString(16).padStart(6, "0")}`;
      if (!pixel) continue;
      const key = `choice ${number} ${text}`;
      // the words of a piece count as it; those of a free place stand over others, which must stay within reach
      const own = this.choices.places[number].ring ? { number } : {};
      yield { ...own, key, text, colour: shown, pixel: { ...pixel, depth: -1 } };
    }
  }
}

/** Bring the keyboard back to the choices if what it was on has gone with the last ones. */
function focusChoices() {
  if (document.activeElement !== document.body) return;
  document.querySelector(CHOICE)?.focus({ preventScroll: true });
}

/** Wait until the browser has painted the words that have come: a picture may take much longer. */
function painted() {
  const wait = (done) => requestAnimationFrame(() => setTimeout(done));
  return Promise.race([new Promise(wait), new Promise((done) => setTimeout(done, MOST_MS))]);
}

/** Show the recording at an address in the element with an id. */
export async function show({ id, scene }) {
  const answer = await fetch(scene);
  if (!answer.ok) return; // another one has taken its place
  const recording = await answer.json();
  const element = document.getElementById(id);
  const former = live()?.element === element ? live() : undefined;
  story = undefined;
  try {
    if (!former) globalThis.player?.close();
    globalThis.player = new LivePlayer(element, recording, former);
  } catch (error) {
    console.warn(error);
    story = tell(element, recording.events);
    element.dispatchEvent(new CustomEvent("blind"));
  }
}

/** Add what has happened. */
export async function extend(part) {
  await painted();
  live()?.extend(part);
  for (const event of part.events) story?.add(event);
}

/** Let bricks fall. */
export function fall(startMs, stopMs, recording) {
  live()?.falls.add(startMs, stopMs, recording);
}

/** Light places. */
export function offer(...asked) {
  live()?.offer(...asked);
}

/** Draw what is chosen for orders, or what they would do, while nothing else is pointed at. */
export function sketch(found) {
  const player = live();
  if (player) player.sketch((player.base = found));
}

/** Draw what enemies could attack. */
export function warn(found) {
  live()?.warn(found);
}

/** Keep what would come of a choice, and draw it if it is still pointed at. */
export function preview(number, found) {
  const player = live();
  player?.previews.set(number, found);
  if (number === player?.pointed) player.sketch(found);
}

/** Put out all places: somebody else is to act. */
export function wait() {
  live()?.light([], 0);
}

/** Show nothing any more. */
export function clear() {
  story?.list.replaceChildren();
  const player = live();
  if (!player) return;
  player.close();
  player.element.replaceChildren();
  globalThis.player = undefined;
}

let story; // of the game, where the browser shows no picture of it

function live() {
  return globalThis.player instanceof LivePlayer ? globalThis.player : undefined;
}
