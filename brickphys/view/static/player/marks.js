// Marks: signs in the scene: ways, arrows, contacts, hits, losses and areas, each for its time.

import * as THREE from "three";

const OVER = 0.25; // mm over the place of a flat sign, so that the ground does not cover it

export class Marks {
  /** Build the marks of a recording into a scene; `signs` are drawn in their own way. */
  constructor(recording, scene, signs = {}) {
    Object.assign(this, { recording, scene, signs: { ...SIGNS, ...signs } });
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
    const node = this.signs[mark.sign](places, new THREE.Color(colours[mark.colour]), mark.size * step);
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
  group.add(ground(places, flat(colour, 0.16)));
  return group;
}

function ground(places, material) {
  const plan = places.map((place) => new THREE.Vector2(place.x, place.y));
  const mesh = new THREE.Mesh(new THREE.ShapeGeometry(new THREE.Shape(plan)), material);
  mesh.position.z = Math.min(...places.map(({ z }) => z)) + OVER;
  return mesh;
}

/** An area in stripes of its colour and white, which differ from own places for who sees no colours, too. */
export function hatched(places, colour, size) {
  return ground(places, stripes(colour, size));
}

const STRIPES = [[6, 190], [10, 80]]; // of the colour and of white: widths in those of a line, and how dense, of 255
const HATCHED = 2; // in the stencil: where areas overlap they are drawn once

function stripes(colour, size) {
  const key = `stripes ${colour.getHex()} ${size}`;
  if (made.has(key)) return made.get(key);
  const pixels = [colour, new THREE.Color(0xffffff)].flatMap((one, number) => {
    const [count, dense] = STRIPES[number];
    return Array(count).fill([...one.toArray().map((part) => 255 * part), dense]);
  });
  const texture = new THREE.DataTexture(new Uint8Array(pixels.flat()), pixels.length, 1);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.repeat.setScalar(1 / (pixels.length * size));
  Object.assign(texture, { rotation: Math.PI / 4, generateMipmaps: true, anisotropy: 8, needsUpdate: true });
  Object.assign(texture, { magFilter: THREE.LinearFilter, minFilter: THREE.LinearMipmapLinearFilter });
  const material = flat(0xffffff, 1).clone();
  Object.assign(material, {
    map: texture,
    transparent: true,
    stencilWrite: true,
    stencilRef: HATCHED,
    stencilFuncMask: HATCHED,
    stencilWriteMask: HATCHED,
    stencilFunc: THREE.NotEqualStencilFunc,
    stencilZPass: THREE.ReplaceStencilOp,
  });
  made.set(key, material);
  return material;
}
