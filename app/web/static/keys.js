// Keys for everything. Single letters can be switched off (WCAG 2.1.4) and do nothing within a field.
import { base, keep, kept, say } from "./live.js";

const list = document.getElementById("keys");
const on = document.getElementById("keys-on");
on.checked = kept("keys") !== "off";
on.addEventListener("change", () => keep("keys", on.checked ? "on" : "off"));
document.getElementById("keys-button").addEventListener("click", () => list.showModal());

const typed = (element) => element.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable]");
const rows = () => [...document.querySelectorAll("[data-row]")];
const current = () => document.activeElement?.closest?.("[data-row]");

function step(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(current());
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  (next.querySelector("[data-open]") ?? next).focus();
  next.scrollIntoView({ block: "nearest" });
}

const keys = {
  "/": () => {
    const field = document.querySelector("[data-search]");
    if (field) {
      field.focus();
      field.select();
    } else location.assign(`${base}/ask`);
  },
  j: () => step(1),
  k: () => step(-1),
  w: () => {
    const reasons = (current() ?? rows()[0])?.querySelector("details.reasons");
    if (reasons) reasons.open = !reasons.open;
  },
  "?": () => list.showModal(),
};

let going = 0;

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (typed(event.target)) event.target.blur();
    return;
  }
  if (typed(event.target) || list.open || !on.checked) return;
  if (Date.now() < going) {
    going = 0;
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
  const hot = document.querySelector(`[data-hot="${CSS.escape(event.key)}"]`);
  const act = keys[event.key] ?? (hot && (() => (hot.matches("input") ? hot.focus() : hot.click())));
  if (!act) return;
  event.preventDefault();
  act();
});

/** More keys, of one page: `name` as the browser calls it. */
export function bindKey(name, act) {
  keys[name] = act;
}
