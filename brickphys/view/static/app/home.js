// Home: the game that this tab has left, the tables that are open, and the last games, on the start page.

const TABLES = "/tables.json";

document.getElementById("go-on").hidden = !sessionStorage.getItem("brickphys-game");
const answer = await fetch(TABLES, { cache: "no-store" }).catch(() => undefined);
for (const [id, all] of Object.entries(answer?.ok ? await answer.json() : {})) {
  const section = document.getElementById(id);
  section.hidden = !all.length;
  for (const { title, links } of all) {
    const item = document.createElement("li");
    item.append(`${title}: `);
    for (const [words, href] of Object.entries(links)) {
      item.append(Object.assign(document.createElement("a"), { href, textContent: words }), " ");
    }
    section.querySelector("ul").append(item);
  }
}
