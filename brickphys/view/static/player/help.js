// Help: the keys, in a dialog.

import { make } from "./dom.js";

const KEYS = [
  ["Space", "play, or stand still"],
  ["← →", "the event before, the next event"],
  [", .", "a little back, a little on"],
  ["Home End", "start, end"],
  ["+ −", "faster, slower"],
  ["W A S D", "turn the camera"],
  ["Q E", "nearer, farther"],
  ["1 … 9", "another view"],
  ["N", "names on or off"],
  ["M", "sound on or off"],
  ["T", "in a game: what enemies could attack in their next turn"],
  ["F", "in a game: keep who acts in the picture, or not"],
  ["?", "this help"],
];

/** Return the dialog with all keys. */
export function helpDialog() {
  const rows = KEYS.map(([keys, what]) =>
    make("tr", {}, make("th", { scope: "row" }, ...keys.split(" ").map(keySign)), make("td", { textContent: what })),
  );
  const close = make("button", { textContent: "Close", autofocus: true });
  const dialog = make(
    "dialog",
    { className: "help", ariaLabel: "Keys" },
    make("h2", { textContent: "Keys" }),
    make("table", {}, ...rows),
    make("p", {
      textContent:
        "Drag to turn, drag with two fingers or the right button to move, pinch to zoom. " +
        "The wheel zooms after a click in the picture, or with Ctrl; else it scrolls the page.",
    }),
    close,
  );
  close.addEventListener("click", () => dialog.close());
  return dialog;
}

function keySign(key) {
  return key === "…" ? "… " : make("kbd", { textContent: key });
}
