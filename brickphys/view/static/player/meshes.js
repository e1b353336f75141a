// Meshes: the surfaces of a shape as geometry for three.js, with smooth rounds, sharp corners and drawn edges.

import * as THREE from "three";

const CREASE = Math.cos((40 * Math.PI) / 180); // faces that meet at less than 40 degrees look round
const GLASS = 0.45;
const HIDDEN = 0.5; // how dense what stands behind something is

/**
 * Return what draws a shape in given colours: a group of at most four objects.
 *
 * @param {object[]} surfaces - the surfaces of the shape
 * @param {(name: string) => THREE.Color} colourOf - the colour that a surface has here
 * @param {number} stepMm - a step of lengths
 */
export function parts(surfaces, colourOf, stepMm) {
  const solid = { places: [], normals: [], colours: [] };
  const glass = { places: [], normals: [], colours: [] };
  const edges = [];
  const drawn = { places: [], colours: [] };
  for (const surface of surfaces) {
    const points = surface.points.map((value) => value * stepMm);
    const colour = colourOf(surface.colour);
    if (surface.triangles?.length) {
      addTriangles(surface, points, colour, surface.colour === "glass" ? glass : solid, edges);
    }
    for (const corner of surface.lines ?? []) {
      drawn.places.push(...points.slice(3 * corner, 3 * corner + 3));
      drawn.colours.push(colour.r, colour.g, colour.b);
    }
  }
  return [
    { places: solid, kind: "solid" },
    { places: glass, kind: "glass" },
    { places: { places: edges, colours: [] }, kind: "edges" },
    { places: drawn, kind: "lines" },
  ]
    .filter((part) => part.places.places.length)
    .map((part) => ({ kind: part.kind, geometry: geometryOf(part.places) }));
}

function geometryOf({ places, normals, colours }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  if (normals?.length) geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  if (colours.length) geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
  return geometry;
}

/** Add triangles with a normal for each corner, the mean over the faces around it that meet without a crease. */
function addTriangles(surface, points, colour, into, edges) {
  const corners = surface.triangles;
  const count = corners.length / 3;
  const faces = Array.from({ length: count }, (_, face) => faceNormal(points, corners, face));
  const around = new Map();
  corners.forEach((corner, index) => {
    if (!around.has(corner)) around.set(corner, []);
    around.get(corner).push((index / 3) | 0);
  });
  corners.forEach((corner, index) => {
    const own = faces[(index / 3) | 0];
    const normal = [0, 0, 0];
    for (const face of around.get(corner)) {
      const other = faces[face];
      if (dot(own.unit, other.unit) < CREASE) continue;
      for (let axis = 0; axis < 3; axis++) normal[axis] += other.unit[axis] * other.area;
    }
    const length = Math.hypot(...normal) || 1;
    into.places.push(points[3 * corner], points[3 * corner + 1], points[3 * corner + 2]);
    into.normals.push(normal[0] / length, normal[1] / length, normal[2] / length);
    into.colours.push(colour.r, colour.g, colour.b);
  });
  addEdges(corners, faces, points, edges);
}

function addEdges(corners, faces, points, edges) {
  const seen = new Map();
  const add = (low, high) => {
    for (const corner of [low, high]) edges.push(...points.slice(3 * corner, 3 * corner + 3));
  };
  corners.forEach((corner, index) => {
    const face = (index / 3) | 0;
    const next = corners[3 * face + ((index + 1) % 3)];
    const [low, high] = corner < next ? [corner, next] : [next, corner];
    const key = `${low},${high}`;
    if (!seen.has(key)) {
      seen.set(key, face);
      return;
    }
    if (dot(faces[seen.get(key)].unit, faces[face].unit) < CREASE) add(low, high);
    seen.delete(key);
  });
  for (const key of seen.keys()) add(...key.split(",").map(Number)); // the border of an open surface
}

function faceNormal(points, corners, face) {
  const [a, b, c] = [0, 1, 2].map((k) => {
    const corner = corners[3 * face + k];
    return [points[3 * corner], points[3 * corner + 1], points[3 * corner + 2]];
  });
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const area = Math.hypot(...n);
  return { area, unit: n.map((part) => part / (area || 1)) };
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

let made;
const UNIT = 1; // in the stencil, where units are drawn, after all that may stand before them
const hidden = new Map();

/** Let a mesh of a unit be seen through what stands before it, pale, in a colour, if it has one; units may cover it. */
export function seenThrough(mesh, colour) {
  mesh.material = materials().unit;
  mesh.renderOrder = UNIT;
  if (!colour) return;
  const shade = new THREE.Mesh(mesh.geometry, shadeOf(colour));
  shade.renderOrder = UNIT + 1;
  shade.raycast = () => {};
  shade.userData.isShade = true;
  mesh.add(shade);
}

function shadeOf(colour) {
  if (!hidden.has(colour)) {
    hidden.set(colour, new THREE.MeshBasicMaterial({
      color: colour,
      transparent: true,
      opacity: HIDDEN,
      depthFunc: THREE.GreaterDepth,
      depthWrite: false,
      stencilWrite: true,
      stencilRef: UNIT,
      stencilFunc: THREE.NotEqualStencilFunc,
      stencilZPass: THREE.ReplaceStencilOp, // once, however many of its faces lie there
    }));
  }
  return hidden.get(colour);
}

/** The materials of the kinds of parts; all pictures share them, so that the browser builds its programs once. */
export function materials() {
  made ??= {
    solid: new THREE.MeshStandardMaterial({
      vertexColors: true,
      roughness: 0.55,
      metalness: 0,
      polygonOffset: true, // lines lie on surfaces
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    }),
    glass: new THREE.MeshStandardMaterial({
      vertexColors: true,
      roughness: 0.15,
      transparent: true,
      opacity: GLASS,
      depthWrite: false,
    }),
    edges: new THREE.LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.22 }),
    lines: new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.55 }),
  };
  made.unit ??= Object.assign(made.solid.clone(), {
    stencilWrite: true,
    stencilRef: UNIT,
    stencilZPass: THREE.ReplaceStencilOp,
  });
  return made;
}
