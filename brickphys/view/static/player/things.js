// Things: everything in a recording that has a place, built once and moved with the time.

import * as THREE from "three";
import { materials, parts, seenThrough } from "./meshes.js";
import { isShown, poseAt } from "./tracks.js";

const MOST_EDGED = 60000; // corners of a shape whose edges are drawn
const MOST_SHADOWS = 250; // copies of a shape that cast shadows: the studs of a field do not

export class Things {
  /** Build the things of a recording into a scene. */
  constructor(recording, scene) {
    this.recording = recording;
    this.materials = materials();
    this.geometries = new Map();
    this.nodes = new Map();
    this.moving = [];
    this.details = [];
    this.scene = scene;
    for (const thing of recording.things) this.add(thing);
  }

  /** Build a thing, after what carries it. */
  add(thing) {
    const node = this.built(thing);
    (this.nodes.get(thing.parent)?.node ?? this.scene).add(node);
    const one = { thing, node };
    this.nodes.set(thing.id, one);
    if (thing.ms || thing.shown_ms) this.moving.push(one);
    this.place(thing, node, 0);
  }

  /** Take everything out of the scene. */
  remove() {
    for (const { thing, node } of this.nodes.values()) if (!thing.parent) node.removeFromParent();
    for (const made of this.geometries.values()) for (const { geometry } of made) geometry.dispose();
  }

  /** Put everything where it is at a time. */
  show(ms) {
    for (const { thing, node } of this.moving) this.place(thing, node, ms);
  }

  /** Show the studs of grounds, or not. */
  setDetails(areShown) {
    for (const mesh of this.details) mesh.visible = areShown;
  }

  /** Return the place of a thing in the scene, in mm. */
  placeOf(id, into = new THREE.Vector3()) {
    return this.nodes.get(id).node.getWorldPosition(into);
  }

  place(thing, node, ms) {
    node.visible = isShown(thing.shown_ms, ms);
    const { step_mm: step, turn_step: turnStep } = this.recording;
    const pose = poseAt(thing, ms, step, turnStep);
    node.position.fromArray(pose.at);
    node.quaternion.fromArray(pose.turn);
  }

  built(thing) {
    const node = new THREE.Group();
    node.name = thing.id;
    for (const { kind, geometry } of this.geometryOf(thing)) {
      const material = this.materials[kind];
      if (kind === "edges" && (thing.copies || geometry.attributes.position.count > MOST_EDGED)) continue;
      if (kind === "edges" || kind === "lines") {
        node.add(new THREE.LineSegments(geometry, material));
        continue;
      }
      const mesh = thing.copies
        ? this.copies(thing.copies, geometry, material)
        : new THREE.Mesh(geometry, material);
      const isDetail = thing.copies?.at.length > 3 * MOST_SHADOWS;
      if (isDetail) this.details.push(mesh);
      mesh.castShadow = kind === "solid" && !isDetail;
      mesh.receiveShadow = true;
      const isUnit = thing.tag && thing.label;
      if (kind === "solid" && (isUnit || thing.parent)) seenThrough(mesh, isUnit && this.recording.colours[thing.tag]);
      node.add(mesh);
    }
    return node;
  }

  copies(poses, geometry, material) {
    const count = poses.at.length / 3;
    const mesh = new THREE.InstancedMesh(geometry, material, count);
    const { step_mm: step, turn_step: turnStep } = this.recording;
    const matrix = new THREE.Matrix4();
    const [place, turn, size] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3(1, 1, 1)];
    for (let number = 0; number < count; number++) {
      const one = {
        at: poses.at.slice(3 * number, 3 * number + 3),
        turn: poses.turn?.slice(4 * number, 4 * number + 4),
      };
      const pose = poseAt(one, 0, step, turnStep);
      mesh.setMatrixAt(number, matrix.compose(place.fromArray(pose.at), turn.fromArray(pose.turn), size));
    }
    return mesh;
  }

  geometryOf(thing) {
    const key = JSON.stringify([thing.shape, thing.colours ?? {}]);
    if (!this.geometries.has(key)) {
      const { colours, shapes, step_mm: step } = this.recording;
      const colourOf = (name) => new THREE.Color(colours[thing.colours?.[name] ?? name]);
      this.geometries.set(key, parts(shapes[thing.shape], colourOf, step));
    }
    return this.geometries.get(key);
  }
}

/** Tell whether a node of the scene and all that carry it are visible. */
export function isSeen(node) {
  for (let one = node; one; one = one.parent) if (!one.visible) return false;
  return true;
}
