// Pace: fewer pixels, no shadows and smooth ground while a slow machine plays; all of it again once that stands still.

const SLOW_MS = 60; // between two pictures
const VERY_SLOW_MS = 200;
const PATIENCE = 2; // pictures in a row
const LEVELS = [
  { pixels: 1, shadows: true, details: true },
  { pixels: 0.6, shadows: true, details: true },
  { pixels: 0.5, shadows: false, details: true },
  { pixels: 0.5, shadows: false, details: false },
];

export class Pace {
  /** @param {(level: object) => void} onUse - called with the level that is to be used */
  constructor(onUse) {
    this.onUse = onUse;
    this.level = 0;
    this.slow = 0;
  }

  /** Take into account how long a picture took. */
  drawn(ms) {
    this.slow = ms > SLOW_MS ? this.slow + 1 : 0;
    if (this.slow < PATIENCE || this.level === LEVELS.length - 1) return;
    this.slow = 0;
    this.level = Math.min(this.level + (ms > VERY_SLOW_MS ? 2 : 1), LEVELS.length - 1);
    this.use(this.level);
  }

  /** Draw as fast as the machine has turned out to be (true), or as well as it can (false). */
  run(isRunning) {
    this.use(isRunning ? this.level : 0);
  }

  use(level) {
    if (level === this.used) return;
    this.used = level;
    this.onUse(LEVELS[level]);
  }
}
