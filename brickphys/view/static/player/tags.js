// Tags: names beside things, marks and places, written over the picture: those of things above or beside them, where no
// other thing is covered. Where names would overlap, that of the thing under the pointer is written, or the nearer one.

import * as THREE from "three";
import { isSeen } from "./things.js";

const HEIGHT = 16; // pixels of a line
const ABOVE = 2; // pixels from a thing to its name
const FIRST = -0.5; // depth of a name that goes before those of other things
const OVER = ".compass, .live-tools, .caption"; // beside the picture, some cover nothing

export class Tags {
  constructor(element, picture, things, marks, colours) {
    Object.assign(this, { element, picture, things, marks, colours });
    this.isOn = true;
    this.spans = new Map();
    this.written = [];
    this.bodies = [];
    this.find();
    // no listeners: another recording in the same picture has its own
    picture.element.onpointermove = (event) => this.point(event);
    picture.element.onpointerleave = () => this.point(undefined);
  }

  /** Find out what has a name. */
  find() {
    this.tagged = [...this.things.nodes.values()].filter(({ thing }) => thing.tag && thing.label);
    for (const { thing, node } of this.tagged) if (thing.top_mm === undefined) this.heights(thing, node);
  }

  /** Keep how high a thing is, once, as it stands at first. */
  heights(thing, node) {
    const box = new THREE.Box3().setFromObject(node);
    const foot = node.getWorldPosition(new THREE.Vector3());
    const { x, y } = box.getSize(new THREE.Vector3());
    thing.top_mm = box.isEmpty() ? 0 : Math.max(box.max.z - foot.z, 0);
    thing.half_mm = Math.min(x, y) / 2;
  }

  /** Write the names where things are now. */
  show() {
    const names = [...this.names()];
    this.bodies = names.map(({ thing, body, depth }) => ({ thing, box: body, depth }));
    const wanted = this.isOn ? [...names, ...this.texts()] : [];
    wanted.push(...(this.more?.() ?? []), ...(this.ruler?.texts() ?? []));
    wanted.sort((one, other) => one.pixel.depth - other.pixel.depth);
    this.written = this.covers();
    const used = new Set(wanted.map((one) => this.write(one)));
    for (const [key, span] of this.spans) span.node.hidden = !used.has(key);
    this.ruler?.turn();
  }

  /** Return what lies over the picture, as names: no name is written below it. */
  covers() {
    const { left, top } = this.element.getBoundingClientRect();
    const found = [...(this.element.closest(".player")?.querySelectorAll(OVER) ?? [])];
    return found.map((one) => {
      const box = one.getBoundingClientRect();
      return { key: "", box: [box.left - left, box.top - top, box.right - left, box.bottom - top] };
    });
  }

  /** Write a name where there is room for it; return the key of its span, undefined if there is none. */
  write({ key, text, colour, pixel, thing, number, body, kind = "tag" }) {
    const own = `${key} ${text}`;
    const span = this.span(own, text, colour, kind);
    span.width ??= span.node.offsetWidth;
    const place = body ? pixel : this.inside(pixel, span.width);
    const box = spots(place, span.width, body, kind).find((one) => this.isFree(one, thing));
    if (!box) return undefined;
    this.written.push({ key: own, box, thing, number });
    span.node.style.transform = `translate(${box[0].toFixed(1)}px, ${box[1].toFixed(1)}px)`;
    return own;
  }

  /** Move a place at an edge of the picture so far in that words around it are whole. */
  inside(pixel, width) {
    const most = this.picture.element.clientWidth;
    if (pixel.x < 0 || pixel.x > most || width > most) return pixel;
    return { ...pixel, x: Math.min(Math.max(pixel.x, width / 2), most - width / 2) };
  }

  /** Tell whether a name may be there: over no other one, and that of a thing, unless it is first, over no other thing. */
  isFree(box, thing) {
    if (this.written.some((other) => overlap(box, other.box))) return false;
    if (thing === undefined || this.isFirst(thing)) return true;
    if (box[0] < 0 || box[2] > this.picture.element.clientWidth) return false;
    return !this.bodies.some((other) => other.thing !== thing && overlap(box, other.box));
  }

  /** Tell whether the name of a thing goes before others: it acts, or is under the pointer. */
  isFirst(thing) {
    return thing === this.acting || thing === this.pointed;
  }

  /** Write first the name of what is under the pointer. */
  point(event) {
    let found;
    if (event) {
      const { left, top } = this.element.getBoundingClientRect();
      const [x, y] = [event.clientX - left, event.clientY - top];
      const under = this.bodies.filter(({ box }) => overlap([x, y, x, y], box));
      found = under.sort((one, other) => one.depth - other.depth)[0]?.thing;
    }
    if (found === this.pointed) return;
    this.pointed = found;
    this.show();
  }

  *names() {
    const point = new THREE.Vector3();
    for (const { thing, node } of this.tagged) {
      if (!isSeen(node)) continue;
      const foot = this.picture.pixel(node.getWorldPosition(point));
      const half = thing.half_mm * this.picture.pixelsPerMm(point);
      point.z += thing.top_mm;
      const pixel = this.picture.pixel(point);
      if (!pixel || !foot) continue;
      const top = Math.min(pixel.y, foot.y - half);
      const body = [Math.min(pixel.x, foot.x) - half, top, Math.max(pixel.x, foot.x) + half, foot.y + half / 2];
      const { id, label: text, tag } = thing;
      const { depth } = pixel;
      const place = { x: pixel.x, y: top - ABOVE, depth: this.isFirst(id) ? FIRST : depth };
      yield { key: id, thing: id, text, colour: this.colours[tag], pixel: place, body, depth };
    }
  }

  *texts() {
    for (const { mark, place } of this.marks.texts) {
      const pixel = this.picture.pixel(place);
      const key = `${mark.from_ms} ${mark.text} ${mark.at}`;
      if (pixel) yield { key, text: mark.text, colour: this.colours[mark.colour], pixel };
    }
  }

  /** Return the ids of the things that stand in a box of the picture. */
  within(box) {
    const foot = ({ box: [left, , right, low] }) => [(left + right) / 2, low, (left + right) / 2, low];
    return this.bodies.filter((body) => overlap(foot(body), box)).map(({ thing }) => thing);
  }

  /** Return the name under a pointer, as the `thing` or the `number` of the place that has it; undefined if none. */
  under({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    return this.written.find(({ box }) => overlap([x, y, x, y], box));
  }

  /** Forget what begins with a word and is not written any more; what is still on the screen is under no pointer. */
  forget(prefix) {
    this.written = this.written.filter(({ key }) => !key.startsWith(prefix));
    for (const [key, span] of this.spans) {
      if (!key.startsWith(prefix)) continue;
      span.node.remove();
      this.spans.delete(key);
    }
  }

  span(key, text, colour, kind) {
    if (!this.spans.has(key)) {
      const node = document.createElement("span");
      node.className = kind;
      node.textContent = text;
      node.style.setProperty("--tag", colour);
      this.element.append(node);
      this.spans.set(key, { node });
    }
    const span = this.spans.get(key);
    span.node.hidden = false;
    return span;
  }
}

/** Where a name may be, as boxes: above its place, or else on either side of the body that has it. */
function spots({ x, y }, width, body, kind) {
  const top = kind === "place" ? y - HEIGHT / 2 : y - HEIGHT;
  const found = [[x - width / 2, top]];
  if (body) {
    const [left, high, right, low] = body;
    const beside = [left - ABOVE - width, right + ABOVE];
    for (const own of [high, (high + low - HEIGHT) / 2, low - HEIGHT]) found.push(...beside.map((side) => [side, own]));
    found.push([x - width / 2, low + ABOVE]);
    for (const own of [high - HEIGHT, low]) found.push([left, own], [right - width, own]);
  }
  return found.map(([left, high]) => [left, high, left + width, high + HEIGHT]);
}

function overlap([left, top, right, low], [otherLeft, otherTop, otherRight, otherLow]) {
  return left < otherRight && otherLeft < right && top < otherLow && otherTop < low;
}
