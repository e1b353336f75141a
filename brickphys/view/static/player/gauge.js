// Gauge: a quantity over time as a curve (its root, so that small values are seen too), with the level to compare it
// with, the values at its edges, and a line at the time that is shown.

import { draw, make } from "./dom.js";
import { lastBefore } from "./tracks.js";

const ROOM = 0.22; // share of the height that a value at the edge needs
const MOST_TIMES = 4;
const ROUND = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000];

export class Gauge {
  constructor(gauge) {
    const endMs = gauge.ms[gauge.ms.length - 1] || 1;
    Object.assign(this, { gauge, endMs, most: Math.max(...gauge.values, ...gauge.limit) || 1 });
    const below = gauge.limit.findIndex((limit, n) => gauge.values[n] < limit);
    this.belowMs = below < 0 ? undefined : gauge.ms[below];
    const line = (values) =>
      values.map((value, n) => `${(gauge.ms[n] / endMs).toFixed(4)},${(1 - this.share(value)).toFixed(4)}`).join(" ");
    this.now = moment(0, "now");
    const svg = draw(
      "svg",
      { viewBox: "0 0 1 1", preserveAspectRatio: "none" },
      draw("polyline", { points: line(gauge.limit), class: "limit" }),
      draw("polyline", { points: line(gauge.values), class: "value" }),
      ...(below < 0 ? [] : [moment(this.belowMs / endMs, "below")]),
      this.now,
    );
    const plot = make("div", { className: "plot" }, svg, ...this.levels(), ...this.moments(), ...this.limit());
    plot.setAttribute("aria-hidden", "true");
    this.text = make("figcaption");
    this.element = make("figure", { className: "gauge" }, this.text, plot);
  }

  /** How high a value is drawn, as a share of the height. */
  share(value) {
    return Math.sqrt(Math.max(value, 0) / this.most);
  }

  /** Yield the round values that have room at the left edge, from above. */
  *levels() {
    let above = 1 + ROOM;
    for (const value of [...ROUND].reverse().concat(0)) {
      const share = this.share(value);
      if (share > 1 || above - share < ROOM) continue;
      yield label(value ? `${value} ${this.gauge.unit}` : "0", "level", "bottom", share);
      above = share;
    }
  }

  /** Yield round times below. */
  *moments() {
    const step = ROUND.find((ms) => this.endMs / ms <= MOST_TIMES) ?? this.endMs;
    for (let ms = 0; ms <= this.endMs; ms += step) yield label(`${ms / 1000} s`, "moment", "left", ms / this.endMs);
  }

  /** Yield the name of the level to compare with, beyond its end, where no line is. */
  *limit() {
    const { limit, limit_name: name } = this.gauge;
    if (limit.length) yield label(name, "limit-name", "bottom", this.share(limit[limit.length - 1]));
  }

  /** Show the value of a time. */
  show(ms) {
    const { gauge, endMs, belowMs } = this;
    const x = Math.min(ms / endMs, 1);
    this.now.setAttribute("x1", x);
    this.now.setAttribute("x2", x);
    const number = lastBefore(gauge.ms, ms);
    const limit = gauge.limit.length ? `, ${gauge.limit_name} ${gauge.limit[number].toFixed(1)} ${gauge.unit}` : "";
    const since = belowMs === undefined ? "" : `; below from ${(belowMs / 1000).toFixed(2)} s`;
    this.text.textContent = `${gauge.name} ${gauge.values[number].toFixed(1)} ${gauge.unit}${limit}${since}`;
  }
}

function moment(x, className) {
  return draw("line", { x1: x, x2: x, y1: 0, y2: 1, class: className });
}

function label(text, className, side, share) {
  const found = make("span", { className, textContent: text });
  found.style[side] = `${(100 * share).toFixed(1)}%`;
  return found;
}
