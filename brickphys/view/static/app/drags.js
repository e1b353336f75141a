// Drags: units are chosen for orders by Shift and a drag around them; a drag from who acts, or from a place, chooses the nearest heading.

import * as THREE from "three";
import { make } from "../player/dom.js";

const STILL = 8; // pixels that a click may move
const TURN_DEG = 360;

/** What is dragged before the camera hears of it; it `begins` with an event, goes on with `move`, and has an `end`. */
class Drag {
  constructor(player, signal) {
    this.player = player;
    const { element, canvas } = player.picture;
    const listen = (name, does) => element.addEventListener(name, (event) => {
      const isMine = name === "pointerdown" ? event.button === 0 && event.target === canvas && this.begins(event) : this.from;
      if (!isMine) return;
      event.stopPropagation();
      does(event);
    }, { signal, capture: true });
    listen("pointerdown", (event) => {
      this.from = event;
      element.setPointerCapture(event.pointerId);
    });
    listen("pointermove", (event) => this.isClick(event) || this.move(event));
    listen("pointerup", (event) => {
      this.end(event);
      this.from = undefined;
    });
    listen("pointercancel", () => (this.from = undefined));
  }

  isClick({ clientX, clientY }) {
    return Math.hypot(clientX - this.from.clientX, clientY - this.from.clientY) < STILL;
  }
}

/** The player's element hears "selected" with the ids of things. */
export class Select extends Drag {
  frame = make("div", { className: "select-frame" });

  begins = (event) => event.shiftKey;

  move(event) {
    const { left, top } = this.player.picture.canvas.getBoundingClientRect();
    const [[x, right], [y, low]] = ["clientX", "clientY"].map((axis) =>
      [this.from[axis], event[axis]].sort((one, other) => one - other),
    );
    this.box = [x - left, y - top, right - left, low - top];
    const { style } = this.frame;
    [style.left, style.top, style.width, style.height] = [x - left, y - top, right - x, low - y].map((one) => `${one}px`);
    this.player.picture.element.append(this.frame);
  }

  end(event) {
    this.frame.remove();
    const { player } = this;
    const found = this.isClick(event) ? [player.under(event).thing] : player.tags.within(this.box);
    player.say("selected", found.filter(Boolean));
  }
}

/** The player's element hears "turned" with the `number`s of those `turns` of a place, or of who acts, nearest in `deg`. */
export class Turn extends Drag {
  turns = [];

  begins = (event) => {
    const { here, isPast, pick, choices, tags } = this.player;
    if (this.turns.length < 2 || !here || isPast || event.shiftKey) return false;
    this.nearest = [];
    this.middle = new THREE.Vector3(...here.at);
    const isNear = pick.place(event, this.middle.z)?.distanceTo(this.middle) < Math.max(here.ring, choices.size_mm);
    const { thing, number } = this.player.under(event);
    const spot = (lit) => String(choices.places[lit]?.at ?? lit);
    const isOnPlace = number !== undefined && spot(number) !== String(here.at);
    const isHere = (tags.acting !== undefined && thing === tags.acting) || (isNear && !isOnPlace);
    if (!isHere) this.middle.set(...(choices.places[number] ?? here).at);
    this.open = this.turns.filter((turn) => turn.is_here === isHere && (isHere || spot(turn.number) === spot(number)));
    return this.open.length > 1;
  };

  move(event) {
    const at = this.player.pick.place(event, this.middle.z);
    if (!at) return;
    const deg = THREE.MathUtils.radToDeg(Math.atan2(at.y - this.middle.y, at.x - this.middle.x));
    const away = (turn) => Math.abs(turn.deg - deg - TURN_DEG * Math.round((turn.deg - deg) / TURN_DEG));
    const least = Math.min(...this.open.map(away));
    this.nearest = this.open.filter((turn) => away(turn) === least).map(({ number }) => number);
    this.player.point(this.nearest[0]);
  }

  end(event) {
    if (this.nearest.length && !this.isClick(event)) this.player.say("turned", this.nearest);
    else this.player.tell(event);
  }
}
