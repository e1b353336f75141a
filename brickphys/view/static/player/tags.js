// Tags: names beside things and marks, written over the picture; where names would overlap the nearer one is written.

import * as THREE from "three";

const HEIGHT = 18; // pixels of a line
const LETTERS = 2; // of what a name is abbreviated to

export class Tags {
  constructor(element, stage, things, marks, colours) {
    Object.assign(this, { element, stage, things, marks, colours });
    this.isOn = true;
    this.spans = new Map();
    this.written = [];
    this.find();
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
    thing.top_mm = box.isEmpty() ? 0 : Math.max(box.max.z - foot.z, 0);
  }

  /** Write the names where things are now. */
  show() {
    const wanted = this.isOn ? [...this.names(), ...this.texts()] : [];
    wanted.push(...(this.more?.() ?? []));
    wanted.sort((one, other) => one.pixel.depth - other.pixel.depth);
    const taken = [];
    const used = new Set();
    this.written = [];
    for (const { key, text, colour, pixel, thing, number } of wanted) {
      for (const shown of [text, ...abbreviated(text)]) {
        const own = `${key} ${shown}`;
        const span = this.span(own, shown, colour);
        span.width ??= span.node.offsetWidth;
        const [left, top] = [pixel.x - span.width / 2, pixel.y - HEIGHT];
        const box = [left, top, left + span.width, top + HEIGHT];
        if (taken.some((other) => overlap(box, other))) continue;
        taken.push(box);
        this.written.push({ box, thing, number });
        used.add(own);
        span.node.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
        break;
      }
    }
    for (const [key, span] of this.spans) span.node.hidden = !used.has(key);
  }

  *names() {
    const point = new THREE.Vector3();
    for (const { thing, node } of this.tagged) {
      if (!isSeen(node)) continue;
      node.getWorldPosition(point).z += thing.top_mm;
      const pixel = this.stage.pixel(point);
      const colour = this.colours[thing.tag];
      if (pixel) yield { key: thing.id, thing: thing.id, text: thing.label, colour, pixel };
    }
  }

  *texts() {
    for (const { mark, place } of this.marks.texts) {
      const pixel = this.stage.pixel(place);
      const key = `${mark.from_ms} ${mark.text} ${mark.at}`;
      if (pixel) yield { key, text: mark.text, colour: this.colours[mark.colour], pixel };
    }
  }

  /** Return the name under a pointer, as the `thing` or the `number` of the place that has it; undefined if none. */
  under({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    return this.written.find(({ box }) => overlap([x, y, x, y], box));
  }

  /** Forget what begins with a word and is not written any more. */
  forget(prefix) {
    for (const [key, span] of this.spans) {
      if (!key.startsWith(prefix)) continue;
      span.node.remove();
      this.spans.delete(key);
    }
  }

  span(key, text, colour) {
    if (!this.spans.has(key)) {
      const node = document.createElement("span");
      node.className = "tag";
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

/** The letter with which a name begins, where names are crowded; none if it begins with a word. */
function abbreviated(text) {
  const [first, rest] = text.split(" ", 2);
  return rest && first.length <= LETTERS ? [first] : [];
}

function isSeen(node) {
  for (let one = node; one; one = one.parent) if (!one.visible) return false;
  return true;
}

function overlap([left, top, right, low], [otherLeft, otherTop, otherRight, otherLow]) {
  return left < otherRight && otherLeft < right && top < otherLow && otherTop < low;
}
