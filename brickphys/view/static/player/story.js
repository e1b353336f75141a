// Story: what happens, as lines that one can choose, and the caption of what happens now.

import { make } from "./dom.js";
import { lastBefore } from "./tracks.js";

export class Story {
  /**
   * @param {object[]} events - the events of a recording
   * @param {(ms: number) => void} onChoose - called with the time of a line that is chosen
   */
  constructor(events, onChoose) {
    this.isQuiet = false; // whether the caption is seen alone
    this.events = [];
    this.times = [];
    this.onChoose = onChoose;
    this.heading = make("strong");
    this.text = make("span");
    this.seen = make("p", {}, this.heading, " ", this.text);
    this.seen.setAttribute("aria-hidden", "true");
    this.spoken = make("p", { className: "spoken", role: "status", ariaLive: "polite" });
    this.caption = make("div", { className: "caption" }, this.seen, this.spoken);
    this.list = make("ol", { className: "lines" });
    this.lines = [];
    for (const event of events) this.add(event);
  }

  /** Add the line of an event behind all others. */
  add(event) {
    const { heading, ms, text } = event;
    if (heading !== this.events[this.events.length - 1]?.heading) {
      this.list.append(make("li", { className: "heading", textContent: heading }));
    }
    const line = make("button", { type: "button", textContent: text || heading });
    line.addEventListener("click", () => this.onChoose(ms));
    this.list.append(make("li", {}, line));
    this.lines.push(line);
    this.events.push(event);
    this.times.push(ms);
  }

  /** Return the number of the event of a time; -1 before the first. */
  at(ms) {
    return this.times.length && this.times[0] <= ms ? lastBefore(this.times, ms) : -1;
  }

  /** Return the time of the event before or after one of a time. */
  step(ms, by) {
    const number = this.at(ms);
    if (by < 0 && number >= 0 && ms - this.times[number] > 1) return this.times[number];
    return this.times[Math.min(Math.max(number + by, 0), this.times.length - 1)] ?? 0;
  }

  /** Tell what happens at a time. */
  show(ms) {
    const number = this.at(ms);
    if (number === this.number) return;
    this.lines[this.number]?.removeAttribute("aria-current");
    this.number = number;
    const event = this.events[number];
    this.say(event?.text ?? "", event?.heading);
    if (!event) return;
    const line = this.lines[number];
    line.setAttribute("aria-current", "step");
    if (this.list.clientHeight) this.list.scrollTop = line.offsetTop - this.list.clientHeight / 2;
  }

  /** Write into the caption, and let screen readers read it aloud: a heading once, not with each event below it. */
  say(text, heading = "") {
    const isNew = heading && this.heading.textContent !== heading;
    if (!this.isQuiet) this.spoken.textContent = isNew ? `${heading}${heading.endsWith(".") ? "" : ":"} ${text}` : text;
    this.heading.textContent = heading;
    this.text.textContent = text;
  }
}
