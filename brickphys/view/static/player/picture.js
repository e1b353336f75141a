// Picture: what is seen: camera, light and shadow, and the views between which one can choose.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Glide } from "./glide.js";

const FIELD_DEG = 28;
const MARGIN = 0.94; // share of the picture that a view fills
const SHADOW_PIXELS = 2048;
const FITS = 4; // times that a box is centred anew: what is near looks larger

export class Picture {
  /** Make the picture in an element; throws an Error where WebGL is missing. */
  constructor(element, recording) {
    this.element = element;
    this.recording = recording;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, stencil: true });
    this.renderer.debug.checkShaderErrors = false; // asking for them makes the page wait for each program
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.ratio = Math.min(globalThis.devicePixelRatio ?? 1, 2);
    this.renderer.setPixelRatio(this.ratio);
    this.canvas = this.renderer.domElement;
    element.append(this.canvas);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(FIELD_DEG, 1, 1, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxPolarAngle = 0.495 * Math.PI; // never below the table
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.draw());
    this.glide = new Glide(this);
    this.light();
    element.addEventListener("wheel", (event) => this.leaveToPage(event), true); // before the camera goes nearer
    this.view = recording.views[0];
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    this.resize();
    this.look(this.view);
  }

  /** Let the wheel scroll the page, until somebody clicks in the picture or holds Ctrl. */
  leaveToPage(event) {
    if (!event.ctrlKey && document.activeElement !== this.canvas) event.stopPropagation();
  }

  /** Show another recording; if it is of the same scene the camera stays. */
  change(recording, isSame) {
    const number = this.recording.views.indexOf(this.view);
    this.recording = recording;
    const [first] = recording.views;
    if (isSame) this.lightView((this.view = recording.views[number] ?? first));
    else this.look(first);
  }

  /** Give back the picture. */
  close() {
    this.observer.disconnect();
    cancelAnimationFrame(this.asked);
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  light() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xcfc4b2, 1.9));
    const fill = new THREE.DirectionalLight(0xdfe8ff, 0.5);
    fill.position.set(1, -0.6, 0.7);
    this.scene.add(fill);
    this.sun = new THREE.DirectionalLight(0xfff4e2, 2.2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.sun.shadow.bias = -0.0004;
    this.scene.add(this.sun, this.sun.target);
  }

  /** Let light and shadow reach all that a view shows. */
  lightView(view) {
    const { middle, radius } = this.ball(view);
    const towards = new THREE.Vector3(-0.55, -0.5, 1.1).normalize();
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).addScaledVector(towards, 3 * radius);
    const camera = this.sun.shadow.camera;
    Object.assign(camera, { left: -radius, right: radius, top: radius, bottom: -radius });
    Object.assign(camera, { near: radius, far: 5 * radius });
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = (2.5 * radius) / SHADOW_PIXELS;
  }

  ball(view) {
    const step = this.recording.step_mm;
    const low = new THREE.Vector3(...view.low).multiplyScalar(step);
    const high = new THREE.Vector3(...view.high).multiplyScalar(step);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    return { low, high, middle, radius: Math.max(low.distanceTo(high) / 2, 1) };
  }

  /**
   * Look from where a view says, so that its box just fills the picture, but for its padding, where words lie over it;
   * about a place if it follows something.
   */
  look(view, place) {
    this.view = view;
    this.glide.stop();
    this.isMoved = false;
    this.lightView(view);
    const { low, high, middle, radius } = this.ball(view);
    const [azimuth, elevation] = [view.azimuth_deg, view.elevation_deg].map((deg) => (deg * Math.PI) / 180);
    const back = new THREE.Vector3(
      Math.cos(azimuth) * Math.cos(elevation),
      Math.sin(azimuth) * Math.cos(elevation),
      Math.sin(elevation),
    );
    const right = new THREE.Vector3(0, 0, 1).cross(back).normalize();
    const up = back.clone().cross(right);
    const tangent = Math.tan((FIELD_DEG * Math.PI) / 360);
    const slope = MARGIN * tangent;
    const [above, below] = this.covered.map((pixels) => (2 * tangent * pixels) / (this.element.clientHeight || 1));
    const wide = slope * this.camera.aspect;
    const sides = [[right, -wide, wide], [up, below - slope, slope - above]];
    const corners = Array.from({ length: 8 }, (_, corner) => new THREE.Vector3(
      corner & 1 ? high.x : low.x,
      corner & 2 ? high.y : low.y,
      corner & 4 ? high.z : low.z,
    ));
    const target = middle.clone();
    let distance = 0;
    for (let time = 0; time < FITS; time++) {
      const found = corners.map((corner) => corner.clone().sub(target));
      const far = (point, [side, from, to]) =>
        point.dot(back) + Math.max(point.dot(side) / from, point.dot(side) / to);
      distance = Math.max(...found.flatMap((point) => sides.map((side) => far(point, side))));
      if (time === FITS - 1) break;
      for (const [side, from, to] of sides) {
        const seen = found.map((point) => point.dot(side) / (distance - point.dot(back)));
        target.addScaledVector(side, ((Math.min(...seen) + Math.max(...seen) - from - to) / 2) * distance);
      }
    }
    this.controls.target.copy(target);
    this.camera.position.copy(this.controls.target).addScaledVector(back, distance);
    this.camera.near = Math.max(distance / 200, 0.1);
    this.camera.far = 12 * (distance + radius);
    this.controls.minDistance = radius / 20;
    this.controls.maxDistance = 5 * distance;
    this.camera.updateProjectionMatrix();
    this.followed = middle;
    if (place) this.follow(place);
    this.controls.update();
    this.draw();
  }

  /** Move camera and light with a thing that the view follows, given its place. */
  follow(place) {
    const by = place.clone().sub(this.followed);
    if (by.lengthSq() === 0) return;
    this.followed = place.clone();
    for (const point of [this.camera.position, this.controls.target, this.sun.position, this.sun.target.position]) {
      point.add(by);
    }
    this.controls.update();
  }

  /** Turn the camera about what it looks at, by degrees to the right and up. */
  orbit(rightDeg, upDeg) {
    this.glide.rest();
    const arm = this.camera.position.clone().sub(this.controls.target);
    const ball = new THREE.Spherical().setFromVector3(new THREE.Vector3(arm.x, arm.z, -arm.y));
    ball.theta += (rightDeg * Math.PI) / 180;
    ball.phi = Math.min(Math.max(ball.phi - (upDeg * Math.PI) / 180, 0.02), this.controls.maxPolarAngle);
    const turned = new THREE.Vector3().setFromSpherical(ball);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(turned.x, -turned.z, turned.y));
    this.controls.update();
    this.draw();
  }

  /** Go nearer (above 1) or farther (below 1). */
  zoom(factor) {
    this.glide.rest();
    const arm = this.camera.position.clone().sub(this.controls.target);
    const length = THREE.MathUtils.clamp(
      arm.length() / factor,
      this.controls.minDistance,
      this.controls.maxDistance,
    );
    this.camera.position.copy(this.controls.target).addScaledVector(arm.normalize(), length);
    this.controls.update();
    this.draw();
  }

  /** Draw with a share of the pixels, with or without shadows. */
  setQuality({ pixels, shadows }) {
    this.renderer.setPixelRatio(pixels * this.ratio);
    this.sun.castShadow = shadows;
    this.draw();
    this.resize();
  }

  /** Fit the picture to its element; a new size empties it, so that it is drawn now, and not again when it was asked. */
  resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const style = getComputedStyle(this.element);
    this.covered = [style.paddingTop, style.paddingBottom].map(parseFloat);
    const pixels = [width, height, this.renderer.getPixelRatio(), ...this.covered].join();
    if (!width || !height || pixels === this.pixels) return;
    this.pixels = pixels;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    const before = this.shape;
    this.shape = [this.camera.aspect, ...this.covered].join();
    const isOther = this.shape !== before && this.followed && !this.isMoved;
    if (isOther) this.look(this.view, this.view.follows ? this.followed : undefined);
    this.paint();
  }

  /** Draw in the next frame, once, however often it is asked; where things are on the screen is right at once. */
  draw() {
    this.camera.updateMatrixWorld();
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => this.paint());
  }

  paint() {
    cancelAnimationFrame(this.asked);
    this.asked = undefined;
    this.renderer.render(this.scene, this.camera);
    this.onDrawn?.();
  }

  /** Tell whether a point in mm is in the picture. */
  sees(point) {
    const { x, y } = this.pixel(point) ?? {};
    return 0 <= x && x <= this.element.clientWidth && 0 <= y && y <= this.element.clientHeight;
  }

  /** How many pixels a millimetre has at a point; not above 0 behind the camera. */
  pixelsPerMm(point) {
    const ahead = -point.clone().applyMatrix4(this.camera.matrixWorldInverse).z;
    return this.element.clientHeight / 2 / Math.tan((FIELD_DEG * Math.PI) / 360) / ahead;
  }

  /** Where a point in mm is in the picture, in pixels; behind the camera it is undefined. */
  pixel(point) {
    const seen = point.clone().project(this.camera);
    if (seen.z > 1) return undefined;
    const { clientWidth: width, clientHeight: height } = this.element;
    return { x: ((seen.x + 1) / 2) * width, y: ((1 - seen.y) / 2) * height, depth: seen.z };
  }
}
