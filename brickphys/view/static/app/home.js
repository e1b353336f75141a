// Home: the game that this tab has left, and the tables that are open, on the start page.

const TABLES = "/tables.json";

document.getElementById("go-on").hidden = !sessionStorage.getItem("brickphys-game");
const answer = await fetch(TABLES, { cache: "no-store" }).catch(() => undefined);
const tables = answer?.ok ? await answer.json() : [];
const section = document.getElementById("tables");
section.hidden = !tables.length;
for (const { title, links } of tables) {
  const item = document.createElement("li");
  item.append(`${title}: `);
  for (const [words, href] of Object.entries(links)) {
    item.append(Object.assign(document.createElement("a"), { href, textContent: words }), " ");
  }
  section.querySelector("ul").append(item);
}
