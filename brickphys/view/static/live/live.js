// Live: the player of a recording that grows while a game is played, and whose places one may click.

import * as THREE from "three";
import { Player } from "../player/player.js";
import { Choices } from "./choices.js";

const STILL = 6; // pixels that a click may move
const HURRY_MS = 6000; // what is farther behind is not played any more

export class LivePlayer extends Player {
  /**
   * Show a recording; see Player.
   *
   * @param {HTMLElement} element - where
   * @param {object} recording - what has happened so far
   * @param {(picked: object) => void} onPick - called with `{ at: [x, y] in mm, thing }` of what is clicked
   */
  constructor(element, recording, onPick) {
    super(element, recording);
    element.classList.add("live");
    this.begin.remove();
    this.onPick = onPick;
    this.choices = new Choices(this.stage.scene);
    this.tags.more = () => this.texts();
    this.ray = new THREE.Raycaster();
    this.ray.params.Line.threshold = 0;
    this.listen(this.stage.canvas);
    this.clock.seek(this.clock.endMs);
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
    if (clock.ms < endMs - HURRY_MS) clock.seek(endMs);
    clock.play();
  }

  /** Light the places that one may click. */
  offer(places, size_mm) {
    this.choices.show(places, size_mm);
    this.tags.forget("choice ");
    this.stage.draw();
  }

  /** Point at the place of an action in the list. */
  point(number) {
    if (this.choices.point(number)) this.stage.draw();
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
      thing.top_mm = old.thing.top_mm;
      old.thing = thing;
      if (!this.things.moving.includes(old)) this.things.moving.push(old);
      return;
    }
    const carried = old.node.children.filter((child) => this.things.nodes.get(child.name)?.node === child);
    this.things.moving = this.things.moving.filter((one) => one !== old);
    old.node.removeFromParent();
    this.things.add(thing);
    this.things.nodes.get(thing.id).node.add(...carried);
  }

  listen(canvas) {
    let pressed;
    canvas.addEventListener("pointerdown", (event) => {
      pressed = { x: event.clientX, y: event.clientY };
    });
    canvas.addEventListener("pointerup", (event) => {
      const moved = pressed ? Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) : STILL;
      pressed = undefined;
      if (moved < STILL && event.button === 0) this.pick(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (pressed || !this.choices.mesh) return;
      const number = this.choices.hit(this.aimed(event));
      canvas.style.cursor = number === undefined ? "" : "pointer";
      this.point(number);
    });
  }

  /** Tell what is clicked: a place that is lit, a thing, or a place of the ground. */
  pick(event) {
    const ray = this.aimed(event);
    const number = this.choices.hit(ray);
    if (number !== undefined) {
      this.onPick({ at: this.choices.places[number].at.slice(0, 2), thing: "" });
      return;
    }
    for (const { object, point } of ray.intersectObjects(this.stage.scene.children)) {
      const thing = this.named(object);
      if (!thing) continue;
      const place = thing.label ? this.things.placeOf(thing.id) : point;
      this.onPick({ at: [place.x, place.y], thing: thing.label ? thing.id : "" });
      return;
    }
  }

  /** The outermost thing with a name that an object is a part of, or the one that it is; undefined for marks. */
  named(object) {
    let found;
    for (let node = object; node; node = node.parent) {
      if (!node.visible) return undefined;
      const one = this.things.nodes.get(node.name);
      if (one?.node === node && (!found || one.thing.label)) found = one.thing;
    }
    return found;
  }

  aimed(event) {
    const box = this.stage.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    this.ray.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
    return this.ray;
  }

  *texts() {
    for (const { number, text, place, colour } of this.choices.texts()) {
      const pixel = this.stage.pixel(place);
      const shown = `#${colour.toString(16).padStart(6, "0")}`;
      if (pixel) yield { key: `choice ${number} ${text}`, text, colour: shown, pixel: { ...pixel, depth: -1 } };
    }
  }
}
