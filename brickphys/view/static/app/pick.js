// Pick: what is in the picture under a pointer: a thing, or a place on a level.

import * as THREE from "three";

export class Pick {
  constructor(stage, things) {
    Object.assign(this, { stage, things });
    this.caster = new THREE.Raycaster();
  }

  /** Return the id of the nearest thing under a pointer among those of which `isWanted` says so. */
  thing(event, isWanted) {
    this.aim(event);
    const roots = [...this.things.nodes.values()].filter(({ node }) => node.parent === this.stage.scene);
    const seen = this.caster.intersectObjects(roots.map(({ node }) => node), true);
    for (const { object } of seen) {
      if (object.isLineSegments || !isSeen(object)) continue;
      for (let node = object; node; node = node.parent) {
        if (this.things.nodes.get(node.name)?.node === node && isWanted(node.name)) return node.name;
      }
    }
    return undefined;
  }

  /** Return the place in mm where a ray first meets something that is seen; undefined if it meets nothing. */
  spot(event) {
    this.aim(event);
    const roots = [...this.things.nodes.values()].filter(({ node }) => node.parent === this.stage.scene);
    const seen = this.caster.intersectObjects(roots.map(({ node }) => node), true);
    return seen.find(({ object }) => !object.isLineSegments && isSeen(object))?.point;
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
    const box = this.stage.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    this.caster.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
  }
}

function isSeen(node) {
  for (let one = node; one; one = one.parent) if (!one.visible) return false;
  return true;
}
