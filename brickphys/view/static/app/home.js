// Home: the game that this tab has left, the tables that are open, and the last games, on the start page.

const TABLES = "/tables.json";

document.getElementById("go-on").hidden = !sessionStorage.getItem("brickphys-game");
const answer = await fetch(TABLES, { cache: "no-store" }).catch(() => undefined);
for (const [id, games] of Object.entries(answer?.ok ? await answer.json() : {})) {
  const section = document.getElementById(id);
  section.hidden = !games.length;
  for (const { title, links } of games) {
    const item = made("li");
    const all = Object.entries(links).flatMap(([words, href]) => [" ", made("a", { href, textContent: words })]);
    if (all.length > 2) item.append(made("details", {}, made("summary", { textContent: title }), ...all));
    else item.append(`${title}: `, ...all);
    section.querySelector("ul").append(item);
  }
}

function made(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
