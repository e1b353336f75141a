// Controls: buttons, the slider of the time, and keys.

import { icon, make } from "./dom.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
const TURN_DEG = 10;
const ZOOM = 1.15;

export class Controls {
  /**
   * @param {object} player - what the controls are for
   * @param {object} recording - what it plays
   */
  constructor(player, recording) {
    Object.assign(this, { player, recording, more: {} });
    const { duration_ms: end, views } = recording;
    this.playButton = button(icon("play"), "Play", () => player.toggle());
    this.playButton.classList.add("play");
    this.slider = make("input", { type: "range", min: 0, max: end, step: 1, value: 0, ariaLabel: "Time" });
    this.slider.addEventListener("input", () => player.clock.seek(Number(this.slider.value)));
    this.time = make("span", { className: "time" }); // an output would be read aloud all the time
    this.speed = select("Speed", speeds(recording.speed).map((one) => [one, speedText(one, recording)]), (value) => {
      player.clock.speed = Number(value);
    });
    this.speed.value = recording.speed;
    this.view = select("View", views.map((view, number) => [number, view.name]), (value) => player.look(Number(value)));
    this.names = button("Names", "Names on or off", () => player.toggleNames());
    this.names.setAttribute("aria-pressed", "true");
    this.sound = button("Sound", "Sound on or off", () => player.toggleSound());
    this.sound.setAttribute("aria-pressed", String(player.sound.isOn));
    this.element = make(
      "div",
      { className: "controls", role: "group", ariaLabel: "Playback" },
      button(icon("before"), "Event before", () => player.step(-1)),
      this.playButton,
      button(icon("next"), "Next event", () => player.step(1)),
      this.slider,
      this.time,
      this.speed,
      this.sound,
      this.view,
      this.names,
      button("?", "Keys", () => player.help.showModal()),
    );
  }

  /** Show the time, and whether it runs. */
  show(clock, event, count) {
    this.slider.value = clock.ms;
    const text = this.recording.is_physical
      ? `${(clock.ms / 1000).toFixed(2)} s`
      : `${Math.max(event + 1, 0)} of ${count}`;
    if (this.time.textContent !== text) this.time.textContent = text;
    this.slider.setAttribute("aria-valuetext", this.recording.is_physical ? text : `event ${text}`);
    if (this.runs === clock.isRunning) return;
    this.runs = clock.isRunning;
    this.playButton.replaceChildren(icon(this.runs ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", this.runs ? "Pause" : "Play");
    this.playButton.title = this.runs ? "Pause" : "Play";
  }

  /** Do what a key is for; tells whether it is for anything. */
  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const { player } = this;
    const own = event.target instanceof Element ? event.target : undefined;
    if (own?.closest("select, dialog, textarea, input:not([type=range])")) return false;
    if (own?.closest("button") && [" ", "Enter"].includes(event.key)) return false;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const does = {
      " ": () => player.toggle(),
      ArrowRight: () => player.step(1),
      ArrowLeft: () => player.step(-1),
      ".": () => player.nudge(1),
      ",": () => player.nudge(-1),
      Home: () => player.clock.seek(0),
      End: () => player.clock.seek(player.clock.endMs),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      "-": () => this.faster(-1),
      a: () => player.picture.orbit(-TURN_DEG, 0),
      d: () => player.picture.orbit(TURN_DEG, 0),
      w: () => player.picture.orbit(0, TURN_DEG),
      s: () => player.picture.orbit(0, -TURN_DEG),
      q: () => player.picture.zoom(ZOOM),
      e: () => player.picture.zoom(1 / ZOOM),
      n: () => player.toggleNames(),
      m: () => player.toggleSound(),
      "?": () => player.help.showModal(),
      ...this.more,
    }[key];
    if (does) does();
    else if (/^[1-9]$/.test(key) && Number(key) <= this.recording.views.length) player.look(Number(key) - 1);
    else return false;
    event.preventDefault();
    return true;
  }

  faster(by) {
    const number = Math.min(Math.max(this.speed.selectedIndex + by, 0), this.speed.options.length - 1);
    this.setSpeed(Number(this.speed.options[number].value));
  }

  setSpeed(speed) {
    this.speed.value = speed;
    this.player.clock.speed = speed;
  }
}

function speeds(own) {
  return [...new Set([...SPEEDS, own])].sort((one, other) => one - other);
}

function speedText(speed, recording) {
  return recording.is_physical && speed < 1 ? `1/${Math.round(1 / speed)}` : `${speed}×`;
}

function button(sign, what, does) {
  const found = make("button", { type: "button", title: what, ariaLabel: what }, sign);
  found.addEventListener("click", does);
  return found;
}

function select(what, options, does) {
  const found = make("select", { title: what, ariaLabel: what });
  for (const [value, text] of options) found.append(make("option", { value, textContent: text }));
  found.addEventListener("change", () => does(found.value));
  return found;
}
