// Ruler: the names of places along the two edges of a field that are nearer, and a compass.

import * as THREE from "three";
import { draw } from "./dom.js";

const [APART, LETTER] = [14, 6]; // pixels from a name to the next one, at least, and more for each letter
const BESIDE = 11; // pixels from the edge of the field to the middle of a name
const INSIDE = 13; // pixels from the border of the picture to the middle of a name
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const DEPTH = -0.6; // names of things give way to those of places: they may be beside the things
const [LETTERS, DEGREES, AROUND] = [18, 38, 16]; // pixels from the middle of the compass, and beyond the last words
const SIDES = ["E", "N", "W", "S"];

export class Ruler {
  /**
   * @param {object} ruler - that of a recording
   * @param {number} stepMm - a step of lengths
   * @param {object} picture - the picture
   */
  constructor(ruler, stepMm, picture) {
    Object.assign(this, { ruler, picture, unit: ruler.unit * stepMm });
    this.size = [ruler.width * this.unit, ruler.length * this.unit];
    this.signs = SIDES.map((side, number) => ({ number, letter: word(side, "side") }));
    if (ruler.in_degrees) for (const one of this.signs) one.degrees = word(`${90 * one.number}°`, "degrees");
    this.needle = draw("path", { d: "M0 -13 L6 9 L0 4 L-6 9 Z" });
    const far = (ruler.in_degrees ? DEGREES : LETTERS) + AROUND;
    this.compass = draw(
      "svg",
      { class: "compass", viewBox: [-far, -far, 2 * far, 2 * far].join(" "), width: 2 * far, height: 2 * far },
      draw("circle", { r: far - 1 }),
      this.needle,
      ...this.signs.flatMap(({ letter, degrees }) => (degrees ? [letter, degrees] : [letter])),
    );
    this.compass.setAttribute("aria-hidden", "true");
  }

  /** Turn the compass as the camera is turned. */
  turn() {
    const { x, y } = this.ahead();
    const eastDeg = 90 - (Math.atan2(y, x) * 180) / Math.PI; // counter-clockwise in the picture, from the right
    this.needle.setAttribute("transform", `rotate(${-eastDeg})`);
    for (const { number, letter, degrees } of this.signs) {
      const angle = ((eastDeg + 90 * number) * Math.PI) / 180;
      put(letter, angle, LETTERS);
      if (degrees) put(degrees, angle, DEGREES);
    }
  }

  /** Where the camera looks. */
  ahead() {
    return this.picture.controls.target.clone().sub(this.picture.camera.position);
  }

  /** Yield the names of columns and rows, each with its place in the picture. */
  *texts() {
    const { camera } = this.picture;
    this.matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const { x, y } = this.ahead();
    this.upright = Math.abs(y) > Math.abs(x) ? 0 : 1; // whose lines go up in the picture: those of columns or of rows
    yield* this.along(0, this.ruler.columns ?? []);
    yield* this.along(1, this.ruler.rows ?? []);
  }

  /** Yield the names along an axis: as many as have room. */
  *along(axis, names) {
    const isFar = this.picture.camera.position.getComponent(1 - axis) > this.size[1 - axis] / 2;
    const found = [];
    let longest = 1;
    const count = names.length || Math.floor(this.size[axis] / this.unit + 1e-6) + 1;
    for (let number = 0; number < count; number++) {
      const at = (number + (names.length ? 0.5 : 0)) * this.unit;
      const pixel = this.pixel(axis, at, isFar);
      if (!pixel) continue;
      const text = names[number] ?? String(number);
      found.push({ text, pixel, number: Number.isNaN(Number(text)) ? number : Number(text) });
      longest = Math.max(longest, text.length);
    }
    const gaps = found.slice(1).map(({ pixel }, n) => Math.hypot(pixel.x - found[n].pixel.x, pixel.y - found[n].pixel.y));
    const step = STEPS.find((one) => one * Math.min(...gaps) >= APART + LETTER * longest);
    for (const { number, text, pixel } of found) {
      if (step && number % step) continue;
      yield { key: `place ${axis}`, text, pixel: { ...pixel, depth: DEPTH }, kind: "place" };
    }
  }

  /** Return where the name of a line is: beside the edge, or else where that line enters the picture. */
  pixel(axis, at, isFar) {
    const ends = [isFar ? this.size[1 - axis] : 0, isFar ? 0 : this.size[1 - axis]].map((across) =>
      axis ? new THREE.Vector3(across, at, 0) : new THREE.Vector3(at, across, 0),
    );
    const away = ends[0].clone().sub(ends[1]).normalize();
    const scale = this.picture.pixelsPerMm(ends[0]);
    if (scale > 0) ends[0].addScaledVector(away, BESIDE / scale);
    const [start, end] = ends.map(({ x, y, z }) => new THREE.Vector4(x, y, z, 1).applyMatrix4(this.matrix));
    return this.clipped(start, end, axis === this.upright);
  }

  /**
   * Return the first place in the picture, in pixels, on the way from one place to another; undefined if none is, or if
   * an upright way comes in from the side, or another one from below: the names of the others are there.
   */
  clipped(start, end, isUpright) {
    const { clientWidth: width, clientHeight: height } = this.picture.element;
    const [right, up] = [1 - (2 * INSIDE) / width, 1 - (2 * INSIDE) / height];
    const down = up - (2 * this.picture.covered[1]) / height;
    let [from, to, isOthers] = [0, 1, false];
    for (const [room, isSide] of [
      [({ x, w }) => right * w - x, true],
      [({ x, w }) => right * w + x, true],
      [({ y, w }) => up * w - y, false],
      [({ y, w }) => down * w + y, false],
    ]) {
      const [first, last] = [room(start), room(end)];
      if (first < 0 && last < 0) return undefined;
      const share = first / (first - last);
      if (first < 0 && share > from) [from, isOthers] = [share, isSide === isUpright];
      if (last < 0) to = Math.min(to, share);
    }
    if (from > to || isOthers) return undefined;
    const { x, y, w } = start.lerp(end, from);
    return { x: ((x / w + 1) / 2) * width, y: ((1 - y / w) / 2) * height };
  }
}

function word(text, kind) {
  return draw("text", { class: kind }, text);
}

function put(sign, angle, radius) {
  sign.setAttribute("x", (radius * Math.cos(angle)).toFixed(1));
  sign.setAttribute("y", (-radius * Math.sin(angle)).toFixed(1));
}
