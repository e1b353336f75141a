// Ready: makes a picture, and lets the browser build its programs, before there is a recording to show.

import { make } from "../player/dom.js";
import { Player } from "../player/player.js";
import { Picture } from "../player/picture.js";
import { Things } from "../player/things.js";
import { tell } from "./show.js";

const TILES = {
  step_mm: 1,
  turn_step: 1,
  views: [{ low: [-8, -8, 0], high: [8, 8, 1], azimuth_deg: 0, elevation_deg: 40 }],
  colours: { grey: "#888888" },
  shapes: {
    tile: [
      { colour: "grey", points: [-8, -8, 0, 8, -8, 0, 8, 8, 0, -8, 8, 0], triangles: [0, 1, 2, 0, 2, 3], lines: [0, 1] },
    ],
  },
  things: [
    { id: "tile", shape: "tile", at: [0, 0, 0] },
    { id: "tiles", shape: "tile", at: [0, 0, 0], copies: { at: [0, 0, 0] } },
  ],
};

/** Stands for a player until there is one: it draws what most recordings have, unseen. */
class Ready {
  constructor() {
    this.picture = new Picture(make("div", { className: "picture" }), TILES);
    this.things = new Things(TILES, this.picture.scene);
    this.picture.paint();
  }

  /** Return the picture, empty, as a player does. */
  leave() {
    this.things.remove();
    return this.picture;
  }
}

const ready = made();

function made() {
  try {
    return new Ready();
  } catch {
    return undefined; // WebGL is missing, which `play` tells
  }
}

/** Show a recording in an element. */
export function play(element, recording) {
  try {
    globalThis.player = new Player(element, recording, ready);
  } catch (error) {
    console.warn(error);
    tell(element, recording.events);
  }
}
