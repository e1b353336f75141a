// Marks: signs in the scene: ways, arrows, contacts, hits, losses and areas, each for its time.

import * as THREE from "three";

const OVER = 0.25; // mm over the place of a flat sign, so that the ground does not cover it

export class Marks {
  /** Build the marks of a recording into a scene. */
  constructor(recording, scene) {
    Object.assign(this, { recording, scene });
    this.marks = [];
    for (const mark of recording.marks) this.add(mark);
  }

  /** Build a mark. */
  add(mark) {
    const { step_mm: step, colours } = this.recording;
    const places = [];
    for (let number = 0; number < mark.at.length; number += 3) {
      places.push(new THREE.Vector3(...mark.at.slice(number, number + 3)).multiplyScalar(step));
    }
    const node = drawn(mark.sign, places, colours[mark.colour], mark.size * step);
    node.visible = false;
    this.scene.add(node);
    this.marks.push({ mark, node, place: places[places.length - 1] });
  }

  /** Take all marks out of the scene. */
  remove() {
    for (const { node } of this.marks) {
      node.removeFromParent();
      node.traverse((one) => one.geometry?.dispose());
    }
  }

  /** Show the marks of a time. */
  show(ms) {
    for (const { mark, node } of this.marks) node.visible = mark.from_ms <= ms && ms < mark.to_ms;
  }

  /** The marks that are shown and have a text. */
  get texts() {
    return this.marks.filter(({ mark, node }) => node.visible && mark.text);
  }
}

const SIGNS = {
  way: (places, colour, size) => tube(places, colour, size, 0.9),
  arrow,
  spot: ([place], colour, size) => ring(place, colour, size, 0.9),
  miss: ([place], colour, size) => ring(place, colour, size, 0.7),
  hit: star,
  loss: cross,
  area,
};

function drawn(sign, places, colour, size) {
  return SIGNS[sign](places, new THREE.Color(colour), size);
}

const made = new Map();

/** A material of a colour, made once: with the last one of its kind a browser would forget its program. */
function plain(colour, traits = {}) {
  const key = JSON.stringify([new THREE.Color(colour).getHex(), traits]);
  if (!made.has(key)) made.set(key, new THREE.MeshBasicMaterial({ color: colour, ...traits }));
  return made.get(key);
}

function flat(colour, opacity) {
  return plain(colour, {
    transparent: opacity < 1,
    opacity,
    side: THREE.DoubleSide,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });
}

function tube(places, colour, width, opacity) {
  const group = new THREE.Group();
  const material = plain(colour, { transparent: true, opacity });
  for (let number = 1; number < places.length; number++) {
    group.add(rod(places[number - 1], places[number], width / 2, width / 2, material));
  }
  for (const place of places) {
    const ball = new THREE.Mesh(new THREE.SphereGeometry(width / 2, 10, 6), material);
    ball.position.copy(place);
    group.add(ball);
  }
  return group;
}

/** A rod or a cone between two places. */
function rod(start, end, startRadius, endRadius, material) {
  const way = end.clone().sub(start);
  const length = Math.max(way.length(), 1e-6);
  const mesh = new THREE.Mesh(new THREE.CylinderGeometry(endRadius, startRadius, length, 12), material);
  mesh.position.copy(start).addScaledVector(way, 0.5);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.divideScalar(length));
  return mesh;
}

function arrow(places, colour, width) {
  const [start, end] = [places[0], places[places.length - 1]];
  const way = end.clone().sub(start);
  const head = Math.min(5 * width, 0.5 * way.length());
  const neck = end.clone().addScaledVector(way.normalize(), -head);
  const material = plain(colour);
  const group = new THREE.Group();
  group.add(rod(start, neck, width / 2, width / 2, material), rod(neck, end, 2 * width, 0, material));
  return group;
}

function ring(place, colour, radius, opacity) {
  const group = new THREE.Group();
  const rim = new THREE.Mesh(new THREE.RingGeometry(0.72 * radius, radius, 32), flat(colour, opacity));
  const edge = new THREE.Mesh(new THREE.RingGeometry(radius, 1.12 * radius, 32), flat(0xffffff, opacity));
  group.add(rim, edge);
  group.position.copy(place).z += OVER;
  return group;
}

function star([place], colour, size) {
  const outline = new THREE.Shape();
  for (let corner = 0; corner < 16; corner++) {
    const radius = corner % 2 ? 0.45 * size : size;
    const angle = (corner * Math.PI) / 8;
    const point = [radius * Math.cos(angle), radius * Math.sin(angle)];
    if (corner) outline.lineTo(...point);
    else outline.moveTo(...point);
  }
  const material = plain(colour, { side: THREE.DoubleSide });
  const geometry = new THREE.ShapeGeometry(outline);
  const group = new THREE.Group();
  for (const axis of ["x", "y", "z"]) {
    const mesh = new THREE.Mesh(geometry, material); // three of them: seen from all sides
    mesh.rotation[axis] = Math.PI / 2;
    group.add(mesh);
  }
  group.position.copy(place).z += OVER;
  return group;
}

function cross([place], colour, size) {
  const group = new THREE.Group();
  const material = plain(colour);
  for (const angle of [Math.PI / 4, -Math.PI / 4]) {
    const bar = new THREE.Mesh(new THREE.BoxGeometry(2 * size, 0.4 * size, 0.8), material);
    bar.rotation.z = angle;
    group.add(bar);
  }
  group.position.copy(place).z += OVER + 0.4;
  return group;
}

function area(places, colour, size) {
  const group = size ? tube([...places, places[0]], colour, size, 0.8) : new THREE.Group();
  const plan = places.map((place) => new THREE.Vector2(place.x, place.y));
  const mesh = new THREE.Mesh(new THREE.ShapeGeometry(new THREE.Shape(plan)), flat(colour, 0.16));
  mesh.position.z = Math.min(...places.map(({ z }) => z)) + OVER;
  group.add(mesh);
  return group;
}
