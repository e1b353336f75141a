// Home: the game that this tab has left, and the tables that are open, on the start page.

const TABLES = "/tables.json";

document.getElementById("go-on").hidden = !sessionStorage.getItem("brickphys-game");
const answer = await fetch(TABLES, { cache: "no-store" }).catch(() => undefined);
const tables = answer?.ok ? await answer.json() : [];
const section = document.getElementById("tables");
section.hidden = !tables.length;
for (const { title, stands, path } of tables) {
  const link = Object.assign(document.createElement("a"), { href: path, textContent: title });
  const item = document.createElement("li");
  item.append(link, ` (${stands})`);
  section.querySelector("ul").append(item);
}
