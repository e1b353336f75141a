// Sound: a knock where a thing is stopped or thrown back, louder the harder it is; off until somebody wants it.

import { lastBefore } from "./tracks.js";

const GRAVITY = 0.00981; // mm per ms², which changes speeds without a knock
const [LEAST, LOUDEST] = [0.1, 2.5]; // changes of speed, in mm per ms, that are just heard, and as loud as can be
const [LASTS_S, FADES_S, TONE_HZ] = [0.08, 0.009, 1900]; // of a knock of bricks
const KEPT = "brickphys-sound";

/** Return the times in ms at which things knock, in order, and the changes of speed, in mm per ms. */
export function knocks(recording) {
  const found = recording.things.flatMap((thing) => [...ofThing(thing, recording.step_mm)]);
  found.sort(([one], [other]) => one - other);
  return { times: found.map(([ms]) => ms), changes: found.map(([, change]) => change) };
}

function* ofThing({ ms = [], at }, stepMm) {
  let [before, span] = [[0, 0, 0], 0];
  for (let next = 1; next <= ms.length; next++) {
    const after = ms[next] - ms[next - 1]; // at the end of the track it stands
    const speed = [0, 1, 2].map((axis) => (stepMm * (at[3 * next + axis] - at[3 * next - 3 + axis])) / after || 0);
    const change = Math.hypot(...speed.map((one, axis) => one - before[axis]));
    const isStart = Math.hypot(...before) < LEAST;
    if (!isStart && change - GRAVITY * Math.max(span, after || 0) > LEAST) yield [ms[next - 1], change];
    [before, span] = [speed, after];
  }
}

export class Sound {
  /** @param {object} recording - what is heard */
  constructor(recording) {
    Object.assign(this, knocks(recording));
    this.isOn = isWanted();
  }

  /** Turn it on or off, and let this browser remember it. */
  toggle() {
    this.isOn = !this.isOn;
    try {
      localStorage.setItem(KEPT, this.isOn ? "on" : "");
    } catch {
      // a browser that keeps nothing forgets it
    }
  }

  /** Make the loudest knock after one time and not after another; nothing while it is off. */
  play(fromMs, toMs) {
    if (!this.isOn) return;
    const [first, last] = [fromMs, toMs].map((ms) => (this.times[0] <= ms ? lastBefore(this.times, ms) + 1 : 0));
    const loudest = Math.max(0, ...this.changes.slice(first, last));
    if (loudest) this.knock(Math.min(loudest / LOUDEST, 1));
  }

  knock(loudness) {
    this.context ??= new AudioContext();
    const { context } = this;
    this.noise ??= noise(context);
    const source = new AudioBufferSourceNode(context, { buffer: this.noise });
    const tone = new BiquadFilterNode(context, { type: "bandpass", frequency: TONE_HZ, Q: 1.2 });
    source.connect(tone).connect(new GainNode(context, { gain: loudness })).connect(context.destination);
    source.start();
  }
}

function noise(context) {
  const found = context.createBuffer(1, LASTS_S * context.sampleRate, context.sampleRate);
  const samples = found.getChannelData(0);
  for (let n = 0; n < samples.length; n++) {
    samples[n] = (2 * Math.random() - 1) * Math.exp(-n / context.sampleRate / FADES_S);
  }
  return found;
}

function isWanted() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
}
