// DOM: makes elements; texts are never read as HTML.

/** Return an element with some properties, and what is in it. */
export function make(name, properties = {}, ...children) {
  const { role, ariaLive, ariaLabel, ...others } = properties;
  const element = Object.assign(document.createElement(name), others);
  if (role) element.setAttribute("role", role);
  if (ariaLive) element.setAttribute("aria-live", ariaLive);
  if (ariaLabel) element.setAttribute("aria-label", ariaLabel);
  element.append(...children);
  return element;
}

const ICONS = {
  play: "M5 3 L19 12 L5 21 Z",
  pause: "M5 3 H10 V21 H5 Z M14 3 H19 V21 H14 Z",
  before: "M19 3 L8 12 L19 21 Z M4 3 H7 V21 H4 Z",
  next: "M5 3 L16 12 L5 21 Z M17 3 H20 V21 H17 Z",
};
const SVG = "http://www.w3.org/2000/svg";

/** Return an element of a drawing. */
export function draw(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Return a sign for a button; fonts differ in those that they have. */
export function icon(name) {
  const path = draw("path", { d: ICONS[name], fill: "currentColor" });
  return draw("svg", { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true" }, path);
}
