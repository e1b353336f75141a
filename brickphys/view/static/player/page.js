// Page: starts the player of a page that holds its recording; without WebGL the story stays as text.

import { Player } from "./player.js";

const recording = JSON.parse(document.getElementById("recording").textContent);
const element = document.getElementById("playing");
try {
  globalThis.player = new Player(element, recording);
  document.getElementById("text").remove();
} catch (error) {
  console.warn(error);
  element.remove();
  document.getElementById("missing").hidden = false;
}
