// Warm: a picture whose programs the browser builds before there is anything to show.

import { make } from "./dom.js";
import { Stage } from "./stage.js";
import { Things } from "./things.js";

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

export class Warm {
  /** Draw what most recordings have, unseen; throws an Error where WebGL is missing. */
  constructor() {
    this.stage = new Stage(make("div", { className: "picture" }), TILES);
    this.things = new Things(TILES, this.stage.scene);
    this.stage.paint();
  }

  /** Return the picture, empty, as a player does. */
  leave() {
    this.things.remove();
    return this.stage;
  }
}
