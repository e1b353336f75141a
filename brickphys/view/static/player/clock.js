// Clock: the time of a recording: it runs, stands, and is set.

export class Clock {
  /**
   * @param {number} endMs - length of the recording
   * @param {number} speed - how fast it runs
   * @param {() => void} onTick - called whenever the time or the state has changed
   */
  constructor(endMs, speed, onTick) {
    Object.assign(this, { endMs, speed, onTick });
    this.ms = 0;
    this.isRunning = false;
  }

  /** Run, from the start again if it is at the end. */
  play() {
    if (this.isRunning) return;
    if (this.ms >= this.endMs) this.ms = 0;
    this.isRunning = true;
    this.last = undefined;
    requestAnimationFrame((now) => this.tick(now));
    this.onTick();
  }

  /** Stand still. */
  pause() {
    this.isRunning = false;
    this.onTick();
  }

  /** Set the time; it stands still then. */
  seek(ms) {
    this.isRunning = false;
    this.ms = Math.min(Math.max(ms, 0), this.endMs);
    this.onTick();
  }

  tick(now) {
    if (!this.isRunning) return;
    if (this.last !== undefined) {
      this.ms += (now - this.last) * this.speed;
      this.onFrame?.(now - this.last);
    }
    this.last = now;
    if (this.ms >= this.endMs) {
      this.ms = this.endMs;
      this.isRunning = false;
    }
    this.onTick();
    if (this.isRunning) requestAnimationFrame((next) => this.tick(next));
  }
}
