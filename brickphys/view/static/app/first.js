// First: puts the whole page in the place of the first one, once it is there; asks before, if somebody uses the first.

const WHOLE = "/brickphys/whole"; // is answered once the pages are loaded
const AWAY = "The server is away: nothing more comes. Start it again, then load this page again.";

const line = document.getElementById("whole");
let isUsed = false;
for (const kind of ["pointerdown", "wheel", "keydown"]) {
  addEventListener(kind, () => (isUsed = true), { capture: true, once: true, passive: true });
}

const answer = await fetch(WHOLE, { cache: "no-store" }).catch(() => undefined);
if (!answer?.ok) line.textContent = AWAY;
else if (!isUsed) location.reload();
else offer();

function offer() {
  const button = document.createElement("button");
  button.textContent = "Show the whole page";
  button.addEventListener("click", () => location.reload());
  line.replaceChildren("This page can do more now. ", button);
}
