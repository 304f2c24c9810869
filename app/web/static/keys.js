// Keys for everything. Single letters can be switched off (WCAG 2.1.4) and do nothing within a field.
import { around, base, keep, kept, say, the } from "./live.js";

const list = the("keys", HTMLDialogElement);
const on = the("keys-on", HTMLInputElement);
on.checked = kept("keys") !== "off";
on.addEventListener("change", () => keep("keys", on.checked ? "on" : "off"));
the("keys-button", HTMLElement).addEventListener("click", () => list.showModal());

/** @param {EventTarget | null} element */
const typed = (element) => around(element, "input:not([type=checkbox]), select, textarea, [contenteditable]");
/** @type {() => HTMLElement[]} */
const rows = () => Array.from(document.querySelectorAll("[data-row]"));
const current = () => around(document.activeElement, "[data-row]");

/** @param {number} by */
function step(by) {
  const all = rows();
  if (!all.length) return;
  const here = current();
  const at = here ? all.indexOf(here) : -1;
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  /** @type {HTMLElement | null} */
  const link = next.querySelector("[data-open]");
  (link ?? next).focus();
  next.scrollIntoView({ block: "nearest" });
}

/** @type {Record<string, () => void>} */
const keys = {
  "/": () => {
    /** @type {HTMLInputElement | null} */
    const field = document.querySelector("[data-search]");
    if (field) {
      field.focus();
      field.select();
    } else location.assign(`${base}/ask`);
  },
  j: () => step(1),
  k: () => step(-1),
  w: () => {
    /** @type {HTMLDetailsElement | null | undefined} */
    const reasons = (current() ?? rows()[0])?.querySelector("details.reasons");
    if (reasons) reasons.open = !reasons.open;
  },
  "?": () => list.showModal(),
};

let going = 0;

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    const field = typed(event.target);
    // A search field would empty itself: one leaves it with what was typed.
    if (field) event.preventDefault();
    field?.blur();
    return;
  }
  if (typed(event.target) || list.open || !on.checked) return;
  if (Date.now() < going) {
    going = 0;
    /** @type {HTMLElement | null} */
    const link = document.querySelector(
      event.key === "o" ? "a.brand" : `.top a[data-key="${CSS.escape(event.key)}"]`,
    );
    if (link) {
      event.preventDefault();
      link.click();
    }
    return;
  }
  if (event.key === "g") {
    going = Date.now() + 1500;
    say("go to");
    return;
  }
  /** @type {HTMLElement | null} */
  const hot = document.querySelector(`[data-hot="${CSS.escape(event.key)}"]`);
  const act = keys[event.key] ?? (hot && (() => (hot.matches("input") ? hot.focus() : hot.click())));
  if (!act) return;
  event.preventDefault();
  act();
});

/**
 * More keys, of one page.
 * @param {string} name as the browser calls it
 * @param {() => void} act
 */
export function bindKey(name, act) {
  keys[name] = act;
}
