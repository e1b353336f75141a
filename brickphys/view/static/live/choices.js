// Choices: the places that one may click, lit on the ground, each with its words.

import * as THREE from "three";

const OVER = 0.6; // mm over the ground
const GOES = 0x1f9d55;
const AIMS = 0xd0342c;
const CHOSEN = 0xffc400;
const SHARE = 0.8; // of the room that a place has

export class Choices {
  /** Light places in a scene; `clear` puts them out. */
  constructor(scene) {
    this.scene = scene;
    this.places = [];
  }

  /**
   * Light other places.
   *
   * @param {object[]} places - each `{ at: [x, y, z] in mm, text, told, is_attack }`
   * @param {number} size_mm - how wide each is
   */
  show(places, size_mm) {
    this.clear();
    this.places = places;
    if (!places.length) return;
    const disc = new THREE.CircleGeometry((SHARE * size_mm) / 2, 20);
    const material = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.72, depthWrite: false });
    this.mesh = new THREE.InstancedMesh(disc, material, places.length);
    this.mesh.renderOrder = 2;
    const matrix = new THREE.Matrix4();
    places.forEach(({ at: [x, y, z], is_attack: isAttack }, number) => {
      const size = isAttack ? 1.6 : 1;
      matrix.makeScale(size, size, 1).setPosition(x, y, z + OVER);
      this.mesh.setMatrixAt(number, matrix);
    });
    this.scene.add(this.mesh);
    this.colour();
  }

  /** Put all out. */
  clear() {
    this.places = [];
    this.chosen = undefined;
    if (!this.mesh) return;
    this.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.dispose();
    this.mesh = undefined;
  }

  /** Point at a place, by its number; undefined for none. Tells whether that is another one than before. */
  point(number) {
    if (number === this.chosen) return false;
    this.chosen = number;
    if (this.mesh) this.colour();
    return true;
  }

  colour() {
    const colour = new THREE.Color();
    this.places.forEach((place, number) => {
      this.mesh.setColorAt(number, colour.set(number === this.chosen ? CHOSEN : place.is_attack ? AIMS : GOES));
    });
    this.mesh.instanceColor.needsUpdate = true;
  }

  /** The number of the place that a ray meets first; undefined if it meets none. */
  hit(ray) {
    return this.mesh ? ray.intersectObject(this.mesh)[0]?.instanceId : undefined;
  }

  /** Names beside places: the odds of attacks, and what one points at. */
  *texts() {
    for (const [number, place] of this.places.entries()) {
      const isChosen = number === this.chosen;
      if (!isChosen && !(place.is_attack && place.told)) continue;
      const text = isChosen ? [place.text, place.told].filter(Boolean).join(": ") : place.told;
      yield { number, text, place: new THREE.Vector3(...place.at), colour: place.is_attack ? AIMS : GOES };
    }
  }
}
