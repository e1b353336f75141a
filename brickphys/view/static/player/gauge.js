// Gauge: a quantity over time as a curve (its root, so that small values are seen too), with the level to compare it
// with and a line at the time that is shown.

import { draw, make } from "./dom.js";
import { lastBefore } from "./tracks.js";

const [WIDTH, HEIGHT] = [300, 60];
const AFTER_MS = 500; // how long a curve is seen after its end

export class Gauge {
  constructor(gauge, endMs) {
    Object.assign(this, { gauge, endMs });
    const most = Math.max(...gauge.values, ...gauge.limit) || 1;
    const line = (values) =>
      values
        .map((value, n) => `${((WIDTH * gauge.ms[n]) / endMs).toFixed(1)},${(HEIGHT * (1 - Math.sqrt(Math.max(value, 0) / most))).toFixed(1)}`)
        .join(" ");
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
    svg.setAttribute("aria-hidden", "true");
    svg.append(draw("polyline", { points: line(gauge.limit), class: "limit" }));
    svg.append(draw("polyline", { points: line(gauge.values), class: "value" }));
    this.now = draw("line", { x1: 0, x2: 0, y1: 0, y2: HEIGHT, class: "now" });
    svg.append(this.now);
    this.text = make("figcaption");
    this.element = make("figure", { className: "gauge" }, svg, this.text);
  }

  /** Show the value of a time. */
  show(ms) {
    const { gauge, endMs } = this;
    this.element.hidden = ms > gauge.ms[gauge.ms.length - 1] + AFTER_MS;
    const x = (WIDTH * ms) / endMs;
    this.now.setAttribute("x1", x);
    this.now.setAttribute("x2", x);
    const number = lastBefore(gauge.ms, ms);
    const limit = gauge.limit.length ? `, ${gauge.limit_name} ${gauge.limit[number].toFixed(1)} ${gauge.unit}` : "";
    this.text.textContent = `${gauge.name} ${gauge.values[number].toFixed(1)} ${gauge.unit}${limit}`;
  }
}
