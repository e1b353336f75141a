// Chances: the chance to win over a game as lines, with signs at the worst choices and the greatest luck; a click on it
// leads to what happened then.

import { draw, make } from "./dom.js";
import { lastBefore } from "./tracks.js";

const NEAR = 0.02; // share of the width within which two signs would hide each other

export class Chances {
  /**
   * @param {object} chances - those of a recording
   * @param {number} endMs - its length
   * @param {(ms: number) => void} onChoose - called with the time of what is chosen
   */
  constructor(chances, endMs, onChoose) {
    Object.assign(this, { chances, endMs, onChoose });
    const lines = chances.lines.length === 2 ? [] : chances.lines;
    this.now = draw("line", { y1: 0, y2: 1, class: "now" });
    const svg = draw(
      "svg",
      { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" },
      ...(lines.length ? [] : this.areas()),
      draw("line", { x1: 0, x2: 1, y1: 0.5, y2: 0.5, class: "even" }),
      ...lines.map((one) => draw("path", { d: this.path(one), class: "value", stroke: one.colour })),
      this.now,
    );
    const plot = make("div", { className: "chances-plot" }, svg, ...this.signs());
    plot.addEventListener("click", ({ target, clientX }) => {
      if (target.closest("button")) return;
      const { left, width } = plot.getBoundingClientRect();
      onChoose(chances.ms[lastBefore(chances.ms, ((clientX - left) / width) * endMs)]);
    });
    this.text = make("figcaption");
    this.element = make("figure", { className: "chances", ariaLabel: "Chance to win" }, this.text, plot);
  }

  /** The line of a player: level from one event to the next. */
  path({ values }) {
    const { ms } = this.chances;
    const steps = values.map((value, number) => `${number ? "H" : "M"}${share(ms[number] / this.endMs)}` +
      `${number ? "V" : ","}${share(1 - value)}`);
    return `${steps.join("")}H1`;
  }

  /** Of two players the area below the line of the first one is the first one's, and the area above it the other's. */
  areas() {
    const [first, second] = this.chances.lines;
    const path = this.path(first);
    return [
      draw("path", { d: `${path}V0H0Z`, fill: second.colour, class: "area" }),
      draw("path", { d: `${path}V1H0Z`, fill: first.colour, class: "area" }),
      draw("path", { d: path, class: "value", stroke: "currentColor" }),
    ];
  }

  /** Buttons at the signs, each lower than one that is near before it. */
  *signs() {
    let before = -1;
    let row = 0;
    for (const { ms, sign, text } of [...this.chances.signs].sort((one, other) => one.ms - other.ms)) {
      const at = ms / this.endMs;
      row = at - before < NEAR ? row + 1 : 0;
      before = at;
      const found = make("button", { type: "button", textContent: sign, title: text, ariaLabel: `${sign}: ${text}` });
      found.style.left = `${100 * at}%`;
      found.style.top = `${1.3 * row}rem`;
      found.addEventListener("click", () => this.onChoose(ms));
      for (const event of ["mouseenter", "focus"]) found.addEventListener(event, () => this.tell(text));
      for (const event of ["mouseleave", "blur"]) found.addEventListener(event, () => this.tell(""));
      yield found;
    }
  }

  /** Go to the moment of a sign, and bring it into view; tell whether there is one. */
  go(sign) {
    const found = this.chances.signs.find((one) => one.sign === sign);
    if (!found) return false;
    this.onChoose(found.ms);
    this.element.parentElement.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Tell what a sign is about in place of the chances; empty for the chances. */
  tell(text) {
    this.about = text;
    this.show(this.ms);
  }

  /** Show the chances of a time. */
  show(ms) {
    const { lines, ms: times } = this.chances;
    this.ms = ms;
    const x = Math.min(ms / this.endMs, 1);
    this.now.setAttribute("x1", x);
    this.now.setAttribute("x2", x);
    const number = lastBefore(times, ms);
    const parts = lines.map(({ name, values }) => `${name} ${Math.round(100 * values[number])} %`);
    this.text.textContent = this.about || `Chance to win: ${parts.join(", ")}`;
  }
}

function share(value) {
  return value.toFixed(4);
}
