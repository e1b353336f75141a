// First: shows the first picture of a file; then puts the whole page in its place, or asks before if somebody uses it.

const PICTURE = "/brickphys/picture"; // is answered once the picture is made
const WHOLE = "/brickphys/whole"; // is answered once the pages are loaded, which begins when this is asked
const REFUSED = 422; // the file cannot be shown, and the server ends
const AWAY = "The server is away: nothing more comes. Start it again, then load this page again.";
const LOADING = "The rest of this page is being loaded ...";

const line = document.getElementById("whole");
const element = document.getElementById("playing");
let isUsed = false;
for (const kind of ["pointerdown", "wheel", "keydown"]) {
  addEventListener(kind, () => (isUsed = true), { capture: true, once: true, passive: true });
}

const asking = asked(PICTURE);
const getting = "isDrawn" in element.dataset && import("./ready.js"); // the browser has time while the file is read
const picture = await asking;
if (picture?.ok) {
  if (picture.headers.get("Content-Type").startsWith("application/json")) play(await picture.json(), await getting);
  else element.innerHTML = await picture.text();
  line.textContent = LOADING;
  await drawn();
}
const isRefused = picture?.status === REFUSED;
const whole = !isRefused && picture && (await asked(WHOLE));
if (isRefused) line.textContent = await picture.text();
else if (!whole?.ok) line.textContent = AWAY;
else if (!isUsed) location.reload();
else offer();

/** Get something of this server; undefined if it is away. */
function asked(address) {
  return fetch(address, { cache: "no-store" }).catch(() => undefined);
}

function play(recording, ready) {
  document.querySelector("h1").textContent = recording.title;
  document.getElementById("about").textContent = recording.about;
  ready.play(element, recording);
}

/** Wait until the browser has shown what the page has now; one that is hidden shows nothing, and waits for nothing. */
function drawn() {
  if (document.hidden) return;
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

function offer() {
  const button = document.createElement("button");
  button.textContent = "Show the whole page";
  button.addEventListener("click", () => location.reload());
  line.replaceChildren("This page can do more now. ", button);
}
