// Glide: the camera goes gently, over the ground, until what happens is well within the picture.

import * as THREE from "three";

const INNER = 0.62; // share of the picture in which what happens is kept
const LAG_MS = 110; // in which two thirds of the way are gone, however many frames the machine draws
const NEAR = 0.5; // mm from where it ends
const REST_MS = 8000; // after somebody has turned the camera it is left alone
const STILL = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

export class Glide {
  isOn = true;
  restedMs = -REST_MS;

  constructor(picture) {
    this.picture = picture;
    const hear = (name, does) => picture.controls.addEventListener(name, does);
    hear("start", () => (this.isHeld = true));
    hear("change", () => this.isHeld && this.rest());
    hear("end", () => (this.isHeld = false));
  }

  /** Leave the camera where it is. */
  stop() {
    this.to = undefined;
  }

  /** Leave the camera for some time to who has moved it. */
  rest() {
    this.stop();
    this.picture.isMoved = true;
    this.restedMs = performance.now();
  }

  /** Go until a point in mm is well within the picture. */
  attend(point) {
    if (!this.isOn || performance.now() - this.restedMs < REST_MS) return;
    const isGoing = this.to !== undefined;
    this.to = point.clone();
    if (isGoing) return;
    this.atMs = performance.now();
    this.go();
  }

  /** Go a part of the way in each frame; all of it at once where motion is unwelcome. */
  go() {
    const { camera, controls } = this.picture;
    const by = this.to && this.lack(this.to);
    if (!by || by.length() < NEAR) {
      this.stop();
      return;
    }
    const nowMs = performance.now();
    by.multiplyScalar(STILL?.matches ? 1 : 1 - Math.exp((this.atMs - nowMs) / LAG_MS));
    this.atMs = nowMs;
    camera.position.add(by);
    controls.target.add(by);
    controls.update();
    this.picture.draw();
    requestAnimationFrame(() => this.go());
  }

  /** Return how far the camera is to go until a point is well within the picture; undefined if it is behind it. */
  lack(point) {
    const { camera } = this.picture;
    const seen = point.clone().project(camera);
    if (seen.z > 1) return undefined;
    const kept = seen.clone().clampScalar(-INNER, INNER).setZ(0.5).unproject(camera);
    const ray = new THREE.Ray(camera.position, kept.sub(camera.position).normalize());
    const there = ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), -point.z), new THREE.Vector3());
    return there ? point.clone().sub(there) : undefined;
  }
}
