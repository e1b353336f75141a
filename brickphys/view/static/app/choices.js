// Choices: the places that one may click, lit on the ground, each with its words.

import * as THREE from "three";
import { materials } from "../player/meshes.js";

const OVER = 2.1; // mm over the ground, and over its studs
const GOES = 0xffe94a;
const AIMS = 0xd0342c;
const HARMS = 0x7b1fa2; // an attack that is likelier to kill own men than enemies
const MEANT = 0x2f9e44; // what a lesson expects
const CHOSEN = 0xffffff;
const RIM = 0x22272b;
const SHARE = 0.8; // of the room that a place has
const ATTACK = 1.6; // how much larger the mark around a target is
const SAME = 0.01; // mm between places that are one
const NEAR = 1; // mm from a place to what stands there
const [THIN_MM, THIN] = [3, 0.1]; // of a ring around a piece, and the most in its radius
const [ROUND, EDGES] = [64, 3]; // parts of a ring around a piece, around and across
const TINY = 4; // pixels of the radius of a place that has no room
const FINGER = 24; // pixels between two places, of which a finger can hit either
const ACTS = 1.2; // how much larger the ring around the piece that acts is
// Made once: with the last material of its kind a browser would forget its program, and build it again at each click.
const [PIECES, PLACES, RIMS] = [0.9, 0.7, 0.8].map(
  (opacity) => new THREE.MeshBasicMaterial({ transparent: true, opacity, depthWrite: false }),
);
PIECES.vertexColors = true;
PIECES.depthTest = false; // a piece may hide its whole ring
RIMS.color.set(RIM);


/** Tell whether a piece that is somewhere stands at a place. */
export function isNear({ at, ring }, { x, y }) {
  // the place of a ship lies away from that of its model, but well within it
  return Math.hypot(at[0] - x, at[1] - y) < Math.max(NEAR, ring / 4);
}

export class Choices {
  /**
   * Light places in a picture; `clear` puts them out.
   *
   * @param {Picture} picture - the picture
   * @param {number} leastPixels - radius of a place on the screen, at least
   */
  constructor(picture, leastPixels) {
    Object.assign(this, { picture, scene: picture.scene, leastPixels });
    this.places = [];
    this.isShown = true;
    this.scene.onBeforeRender = () => this.fit();
  }

  /**
   * Light other places.
   *
   * @param {object[]} places - each `{ at: [x, y, z] in mm, ring: radius in mm around the piece that stands there,
   *   text, remark, is_attack, is_harmful, is_meant }`
   * @param {number} size_mm - how wide each is
   * @param {object?} here - `{ at, ring }` of the piece that acts
   * @param {THREE.Object3D?} piece - the one that acts, if it is to be shown there, pale, because it is not there yet
   */
  show(places, size_mm, here, piece) {
    this.clear();
    Object.assign(this, { places, size_mm });
    const spots = places.map(({ at }) => String(at));
    places.forEach((place, number) => (place.count = spots.filter((spot) => spot === spots[number]).length));
    if (piece) this.pale = this.ghost(piece, here.at);
    const rings = places.map(({ at, ring }, number) => ({ at, ring, number })).filter(({ ring }) => ring);
    rings.sort((one, other) => places[one.number].is_meant - places[other.number].is_meant); // that one on top
    if (here) rings.push({ at: here.at, ring: ACTS * (here.ring || size_mm) });
    if (rings.length) this.ring(rings);
    if (!places.length) return;
    this.rooms = rooms(places);
    this.mesh = this.copies(new THREE.CircleGeometry(1, 20), PLACES);
    this.rims = this.copies(new THREE.RingGeometry(0.9, 1.06, 20), RIMS);
    this.fit();
    this.colour();
  }

  /** Return a piece, pale, at another place. */
  ghost(piece, at, deg) {
    const pale = piece.clone();
    pale.traverse((one) => {
      one.visible &&= !one.isLineSegments && !one.userData.isShade;
      one.castShadow = false;
      if (one.isMesh) one.material = materials().glass;
    });
    pale.position.set(...at);
    if (deg !== undefined) pale.rotation.set(0, 0, (deg * Math.PI) / 180);
    this.scene.add(pale);
    return pale;
  }

  /** Show pieces, pale, where a choice would bring them, in place of those of the last one. */
  ghosts(pieces) {
    for (const one of this.previewed ?? []) one.removeFromParent();
    this.previewed = pieces.filter(({ node }) => node).map(({ node, at, deg }) => this.ghost(node, at, deg));
  }

  /** Draw rings around pieces. */
  ring(rings) {
    const wide = Math.min(THIN, THIN_MM / Math.min(...rings.map(({ ring }) => ring)));
    const band = new THREE.RingGeometry(1 - 1.2 * wide, 1 + 0.6 * wide, ROUND, EDGES);
    const shades = [...band.attributes.position.array].map((_, n) => {
      return Math.floor(n / 3 / (ROUND + 1)) % EDGES ? 1 : 0; // dark at both edges, to be seen on any ground
    });
    band.setAttribute("color", new THREE.Float32BufferAttribute(shades, 3));
    this.pieces = new THREE.InstancedMesh(band, PIECES, rings.length);
    this.pieces.renderOrder = 2;
    this.ringed = rings;
    const matrix = new THREE.Matrix4();
    rings.forEach(({ at: [x, y, z], ring }, number) => {
      this.pieces.setMatrixAt(number, matrix.makeScale(ring, ring, 1).setPosition(x, y, z + OVER));
      this.pieces.setColorAt(number, new THREE.Color(CHOSEN));
    });
    this.scene.add(this.pieces);
  }

  /** Draw a sign at each place. */
  copies(sign, material) {
    const mesh = new THREE.InstancedMesh(sign, material, this.places.length);
    mesh.renderOrder = 2;
    this.scene.add(mesh);
    return mesh;
  }

  /** Let each place be as large as it is, or as large on the screen as one can hit, but over no other one. */
  fit() {
    if (!this.mesh) return;
    const [matrix, place] = [new THREE.Matrix4(), new THREE.Vector3()];
    this.places.forEach(({ at: [x, y, z], is_attack: isAttack }, number) => {
      const pixels = this.picture.pixelsPerMm(place.set(x, y, z));
      const wanted = Math.max((SHARE * this.size_mm) / 2, this.leastPixels / pixels);
      const radius = Math.min(wanted, Math.max(this.rooms[number] / 2, TINY / pixels)) * (isAttack ? ATTACK : 1);
      matrix.makeScale(radius, radius, 1).setPosition(x, y, z + OVER);
      for (const mesh of [this.mesh, this.rims]) mesh.setMatrixAt(number, matrix);
    });
    for (const mesh of [this.mesh, this.rims]) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // is found again when it is needed
    }
  }

  /** Show them or not: they are those of now, and the picture may show what was. */
  setShown(isShown) {
    this.isShown = isShown;
    for (const one of [this.mesh, this.rims, this.pieces]) if (one) one.visible = isShown;
  }

  /** Put all out. */
  clear() {
    this.places = [];
    this.chosen = this.touched = undefined;
    this.pale?.removeFromParent(); // its geometry is that of the piece
    this.pale = undefined;
    for (const mesh of [this.mesh, this.rims, this.pieces]) {
      if (!mesh) continue;
      this.scene.remove(mesh);
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.mesh = this.rims = this.pieces = undefined;
  }

  /** Point at a place, by its number, or at one of so many choices there; undefined for none. */
  point(number, count = 1) {
    if (number === this.chosen && count === this.count) return;
    Object.assign(this, { chosen: number, count });
    if (this.mesh) this.colour();
  }

  colour() {
    const colour = new THREE.Color();
    const of = (number) => (number === this.chosen ? CHOSEN : shade(this.places[number]));
    this.places.forEach((_, number) => this.mesh.setColorAt(number, colour.set(of(number))));
    this.mesh.instanceColor.needsUpdate = true;
    if (!this.pieces) return;
    this.ringed.forEach(({ number }, ring) => {
      if (number !== undefined) this.pieces.setColorAt(ring, colour.set(of(number)));
    });
    this.pieces.instanceColor.needsUpdate = true;
  }

  /**
   * Return the place under a pointer as `{ number, distance }`, of several the nearest; undefined if none is. A ring
   * around a piece is drawn over the places beside it, and goes before them.
   */
  hit(pick, event) {
    if (!this.mesh?.visible) return undefined;
    pick.aim(event);
    for (const { instanceId, distance } of this.pieces ? pick.caster.intersectObject(this.pieces) : []) {
      const { number } = this.ringed[instanceId];
      if (number !== undefined) return { number, distance };
    }
    const away = ({ point, instanceId }) => point.distanceTo(new THREE.Vector3(...this.places[instanceId].at));
    const [met] = pick.caster.intersectObject(this.mesh).sort((one, other) => away(one) - away(other));
    return met && { number: met.instanceId, distance: met.distance };
  }

  /** Return the number of the place nearest to a pointer, within its reach on the screen; undefined if none is. */
  near(event) {
    if (!this.mesh?.visible) return undefined;
    const reach = isFinger(event) ? FINGER / 2 : this.leastPixels;
    const { left, top } = this.picture.canvas.getBoundingClientRect();
    const away = this.awayFrom({ x: event.clientX - left, y: event.clientY - top });
    const least = Math.min(...away);
    return least < reach ? away.indexOf(least) : undefined;
  }

  /** How far each place is from a point of the picture, in pixels. */
  awayFrom({ x, y }) {
    return this.places.map(({ at }) => {
      const pixel = this.picture.pixel(new THREE.Vector3(...at));
      return pixel ? Math.hypot(pixel.x - x, pixel.y - y) : Infinity;
    });
  }

  /** Tell whether a finger may have meant another place beside this one; if it touches this one again, it has not. */
  doubts(number, event) {
    if (number === undefined || number === this.touched || !isFinger(event)) return false;
    const { at } = this.places[number];
    const away = this.awayFrom(this.picture.pixel(new THREE.Vector3(...at)));
    const isCrowded = away.some((pixels, other) => pixels < FINGER && distance(at, this.places[other].at) > SAME);
    if (isCrowded) this.touched = number;
    return isCrowded;
  }

  /** Return the number of the place of a piece that stands somewhere; undefined if there is none. */
  numberAt({ x, y }) {
    const number = this.places.findIndex((place) => isNear(place, { x, y }));
    return number < 0 ? undefined : number;
  }

  /** Names beside places: the odds of attacks, and what one points at. */
  *texts() {
    if (!this.isShown) return;
    for (const [number, place] of this.places.entries()) {
      const isChosen = number === this.chosen;
      if (!isChosen && !(place.is_attack && place.remark)) continue;
      if (isChosen && this.previewed?.some(({ position }) => isNear(place, position))) continue; // it would cover the piece
      const again = number === this.touched && "tap again";
      const words = this.count > 1 ? [`${this.count} choices`] : [place.text, place.remark];
      const text = isChosen ? [...words, again].filter(Boolean).join(": ") : place.remark;
      yield { number, text, place: new THREE.Vector3(...place.at), colour: shade(place) };
    }
  }
}

function shade({ is_attack: isAttack, is_harmful: isHarmful, is_meant: isMeant }) {
  return isMeant ? MEANT : isHarmful ? HARMS : isAttack ? AIMS : GOES;
}

/** The distance in mm from each place to the nearest other one. */
function rooms(places) {
  return places.map(({ at }) => {
    const away = places.map((other) => distance(at, other.at)).filter((one) => one > SAME);
    return Math.min(...away);
  });
}

function distance(at, other) {
  return Math.hypot(at[0] - other[0], at[1] - other[1]);
}

function isFinger({ pointerType }) {
  return pointerType === "touch";
}
