// Away: tells what to do where the server is away, and where it came back and takes this page for that of a stranger.

const EVERY_MS = 3000;
const ASKED = "/brickphys/app/app.css"; // any file of the server

const popup = document.getElementById("popup");
if (popup) {
  const again = Object.assign(document.createElement("button"), { textContent: "Load the page again" });
  again.addEventListener("click", () => location.reload());
  popup.append(again);
  popup.setAttribute("role", "alert"); // screen readers tell it, too
  setInterval(look, EVERY_MS);
}

async function look() {
  if (popup.ariaHidden !== "false") return;
  const answer = await fetch(ASKED, { cache: "no-store" }).catch(() => undefined);
  if (answer?.status === 403) popup.querySelector("span:last-of-type").textContent = await answer.text();
}
