// Arrange: lets a person choose, drag and turn things of a scene, by the mouse, by a finger or by keys.
// The element of the player hears of it: "chosen" with the id, "placed" with the id, the way and the turn.

import * as THREE from "three";
import { Pick } from "./pick.js";

const STUD_MM = 8;
const STEP_MM = STUD_MM / 2;
const STEP_DEG = 5;
const KEY_DEG = 15;
const WAIT_MS = 250; // after the last key, before the others hear of it
const COLOUR = 0xff8a00;
const KNOB_MM = 5;
const LINE = new THREE.LineBasicMaterial({ color: COLOUR });
const KNOB = new THREE.MeshBasicMaterial({ color: COLOUR });

export class Arrange {
  /**
   * @param {Player} player - shows the scene
   * @param {object} options - `ids` of things that can be moved, `turns` of those that can be turned, `chosen` one
   */
  constructor(player, { ids, turns, chosen }) {
    Object.assign(this, { player, ids: new Set(ids), turns: new Set(turns) });
    this.picture = player.picture;
    this.pick = new Pick(player.picture, player.things);
    this.signs = new THREE.Group();
    const { element } = this.picture;
    this.heard = { pointerdown: "down", pointermove: "move", pointerup: "up", pointercancel: "up", keydown: "key" };
    for (const [name, method] of Object.entries(this.heard)) {
      const heard = (event) => this[method](event);
      this.heard[name] = heard;
      element.addEventListener(name, heard, true); // before the camera turns
    }
    this.choose(chosen);
  }

  /** Give everything back; what keys have moved is told. */
  close() {
    this.tell();
    for (const [name, heard] of Object.entries(this.heard)) this.picture.element.removeEventListener(name, heard, true);
    this.picture.controls.enabled = true;
    this.signs.removeFromParent();
  }

  /** Resolve as soon as nothing is dragged. */
  idle() {
    return this.drag ? new Promise((done) => (this.whenIdle = done)) : Promise.resolve();
  }

  /** Frame a thing, wherever it goes; with a knob before it if it can be turned. */
  choose(id) {
    this.chosen = this.ids.has(id) ? id : undefined;
    this.frame();
  }

  frame() {
    for (const one of this.signs.children) one.geometry?.dispose();
    this.signs.clear();
    this.knob = undefined;
    if (this.chosen !== undefined) {
      const { node } = this.player.things.nodes.get(this.chosen);
      const box = boxOf(node);
      node.add(this.signs);
      this.signs.add(new THREE.Box3Helper(box.clone().expandByScalar(1), COLOUR));
      if (this.turns.has(this.chosen)) this.addKnob(Math.max(box.max.x, 0));
    }
    this.picture.draw();
  }

  addKnob(front) {
    const [neck, head] = [front + 2, front + 3 * KNOB_MM].map((x) => new THREE.Vector3(x, 0, 3));
    const line = new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints([neck, head]), LINE);
    this.knob = new THREE.Mesh(new THREE.SphereGeometry(KNOB_MM, 16, 10), KNOB);
    this.knob.position.copy(head);
    this.signs.add(line, this.knob);
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary || event.target !== this.picture.canvas) return;
    if (this.knob && this.pick.isOn(event, this.knob)) {
      this.grasp(event, "turn");
      return;
    }
    const id = this.pick.thing(event, (one) => this.ownerOf(one) !== undefined);
    if (id === undefined) return;
    const owner = this.ownerOf(id);
    if (owner !== this.chosen) this.say("chosen", { id: owner });
    this.tell();
    this.choose(owner);
    this.grasp(event, "move");
  }

  grasp(event, what) {
    this.player.clock.seek(0);
    const { node } = this.player.things.nodes.get(this.chosen);
    const from = this.pick.place(event);
    if (!from) return;
    this.picture.controls.enabled = false;
    this.picture.element.setPointerCapture(event.pointerId);
    this.drag = { what, from, pointer: event.pointerId, at: node.position.clone(), done: { x: 0, y: 0, deg: 0 } };
    this.drag.angle = Math.atan2(from.y - node.position.y, from.x - node.position.x);
  }

  move(event) {
    if (this.drag?.pointer !== event.pointerId) {
      this.hover(event);
      return;
    }
    event.stopPropagation();
    const to = this.pick.place(event);
    if (!to) return;
    const { what, from, at, angle, done } = this.drag;
    let [x, y, deg] = [0, 0, 0];
    if (what === "turn") {
      const by = ((Math.atan2(to.y - at.y, to.x - at.x) - angle) * 180) / Math.PI;
      deg = STEP_DEG * Math.round(by / STEP_DEG);
    } else {
      [x, y] = [to.x - from.x, to.y - from.y].map((way) => STEP_MM * Math.round(way / STEP_MM));
    }
    if (x === done.x && y === done.y && deg === done.deg) return;
    this.shift(x - done.x, y - done.y, deg - done.deg);
    this.drag.done = { x, y, deg };
  }

  up(event) {
    if (this.drag?.pointer !== event.pointerId) return;
    this.drag = undefined;
    this.picture.controls.enabled = true;
    this.tell();
    this.whenIdle?.();
  }

  hover(event) {
    if (event.buttons || event.target !== this.picture.canvas) return;
    const isOver =
      (this.knob && this.pick.isOn(event, this.knob)) ||
      this.pick.thing(event, (one) => this.ownerOf(one) !== undefined) !== undefined;
    this.picture.canvas.style.cursor = isOver ? "grab" : "";
  }

  /** Shift + arrows move the chosen thing, brackets turn it, Page Up and Page Down choose another one. */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.drag) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const turn = { "[": 1, "]": -1 }[event.key];
    const next = { PageUp: -1, PageDown: 1 }[event.key];
    if (next) {
      const all = [...this.ids];
      const number = all.indexOf(this.chosen);
      const other = all[(Math.max(number, next < 0 ? 0 : -1) + next + all.length) % all.length];
      this.tell();
      this.choose(other);
      this.player.story.say(`${other} is chosen.`);
      this.say("chosen", { id: other });
    } else if (this.chosen !== undefined && event.shiftKey && ways[event.key]) {
      const [x, y] = ways[event.key];
      this.byKey(STEP_MM * x, STEP_MM * y, 0);
    } else if (this.chosen !== undefined && turn && this.turns.has(this.chosen)) {
      this.byKey(0, 0, KEY_DEG * turn);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  byKey(x, y, deg) {
    this.player.clock.seek(0);
    this.shift(x, y, deg);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), WAIT_MS);
  }

  /** Show the chosen thing elsewhere, with its crew; the others hear of it later. */
  shift(x, y, deg) {
    const turn = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1), (deg * Math.PI) / 180);
    for (const [id, { node }] of this.player.things.nodes) {
      if (this.ownerOf(id) !== this.chosen) continue;
      if (deg) node.quaternion.premultiply(turn);
      node.position.x += x;
      node.position.y += y;
    }
    this.moved ??= { id: this.chosen, x: 0, y: 0, deg: 0 };
    this.moved.x += x;
    this.moved.y += y;
    this.moved.deg += deg;
    this.picture.draw();
  }

  /** Say what has been moved since the last time. */
  tell() {
    clearTimeout(this.timer);
    const { moved } = this;
    this.moved = undefined;
    if (!moved || !(moved.x || moved.y || moved.deg)) return;
    this.say("placed", { id: moved.id, x: moved.x / STUD_MM, y: moved.y / STUD_MM, deg: moved.deg });
  }

  say(name, detail) {
    this.player.element.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Return the thing that a part of the picture belongs to: itself, or the vehicle that carries it. */
  ownerOf(id) {
    if (this.ids.has(id)) return id;
    const owner = id.slice(0, Math.max(id.lastIndexOf("/"), 0));
    return this.ids.has(owner) ? owner : undefined;
  }
}

/** Return the box around a thing, in its own frame. */
function boxOf(node) {
  const box = new THREE.Box3();
  for (const { geometry } of node.children) {
    if (!geometry) continue;
    geometry.computeBoundingBox();
    box.union(geometry.boundingBox);
  }
  return box;
}
