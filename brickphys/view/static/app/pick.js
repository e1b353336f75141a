// Pick: what is in the picture under a pointer: a thing, or a place on a level.

import * as THREE from "three";
import { isSeen } from "../player/things.js";

export class Pick {
  constructor(picture, things) {
    Object.assign(this, { picture, things });
    this.caster = new THREE.Raycaster();
  }

  /** Return the id of the nearest thing under a pointer among those of which `isWanted` says so. */
  thing(event, isWanted) {
    for (const one of this.seen(event)) {
      const id = this.idOf(one, isWanted);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /** Return what a ray meets first of all that is seen, as `{ point, distance, object }`; undefined if nothing. */
  first(event) {
    return this.seen(event)[0];
  }

  /** Return the id of the thing to which something that a ray has met belongs, if it is wanted. */
  idOf({ object }, isWanted) {
    for (let node = object; node; node = node.parent) {
      if (this.things.nodes.get(node.name)?.node === node && isWanted(node.name)) return node.name;
    }
    return undefined;
  }

  /** Return all that a ray meets and that is seen, the nearest first. */
  seen(event) {
    this.aim(event);
    const roots = [...this.things.nodes.values()].filter(({ node }) => node.parent === this.picture.scene);
    const met = this.caster.intersectObjects(roots.map(({ node }) => node), true);
    return met.filter(({ object }) => !object.isLineSegments && isSeen(object));
  }

  /** Return the place in mm on a level under a pointer; undefined over the horizon. */
  place(event, levelMm = 0) {
    this.aim(event);
    const level = new THREE.Plane(new THREE.Vector3(0, 0, 1), -levelMm);
    return this.caster.ray.intersectPlane(level, new THREE.Vector3()) ?? undefined;
  }

  /** Tell whether a pointer is over an object. */
  isOn(event, object) {
    this.aim(event);
    return this.caster.intersectObject(object, true).length > 0;
  }

  aim(event) {
    const box = this.picture.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    this.caster.setFromCamera(new THREE.Vector2(x, y), this.picture.camera);
  }
}
