// Makes forms and links of a page quick: a part of the page is fetched and put in the place of the old one.
// It holds no rule: what is allowed, and what things mean, comes drawn from the server.

const WAIT_MS = 120;
const SLOW_MS = 150;
const TRIES = 3;
const LOOK_MS = 10_000;

/**
 * The element of this id, which is on the page; an error where it is not.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind what it is
 */
export function the(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new TypeError(`no ${kind.name} #${id}`);
}

/**
 * What an event came from, or what stands around it, that the selector fits.
 * @template {HTMLElement | SVGElement} [T=HTMLElement]
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {T | null}
 */
export const around = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * Not every browser has them.
 * @typedef {{ createHTML(text: string): string }} Policy
 * @type {Window & { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }}
 */
const { trustedTypes } = window;
const policy = trustedTypes?.createPolicy("outfitter", { createHTML: (text) => text });

/**
 * The only place where text becomes elements: text of our own server, which has escaped what strangers wrote.
 * @param {string} text
 */
export function elementsOf(text) {
  const holder = document.createElement("template");
  holder.innerHTML = policy ? policy.createHTML(text) : text;
  return holder.content;
}

export const base = document.body.dataset.base ?? "";
const bar = the("busy-bar", HTMLElement);
const unreached = the("unreached", HTMLElement);
const changed = the("changed", HTMLElement);

/**
 * Say something to those who do not see the page change.
 * @param {string | null} [text]
 */
export function say(text) {
  the("said", HTMLElement).textContent = text ?? "";
}

/**
 * Remember in this browser; where storage is off, only until the page is left.
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`outfitter.${name}`, value);
  } catch {
    // It works without.
  }
}

/** @param {string} name */
export function kept(name) {
  try {
    return localStorage.getItem(`outfitter.${name}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} text what is wrong; empty: nothing is
 * @param {() => void} [again]
 */
function showUnreached(text, again) {
  unreached.replaceChildren(text);
  unreached.hidden = !text;
  if (text && again) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Try again";
    button.addEventListener("click", again);
    unreached.append(" ", button);
  }
}

/** @type {Map<string, AbortController>} */
const running = new Map();

/**
 * Fetch a page's main part and swap one region of it.
 * @param {string} address where it is
 * @param {object} options
 * @param {string} options.region id of the element that is swapped; `main` for all
 * @param {{ method?: string, body?: BodyInit }} [options.request] a GET unless given
 * @param {"push"|"replace"|""} [options.write] what becomes of the address in the browser
 * @returns {Promise<DocumentFragment|null>} what came; null where nothing was swapped
 */
export async function swap(address, { region, request = {}, write = "" }) {
  running.get(region)?.abort();
  const stop = new AbortController();
  running.set(region, stop);
  const old = document.getElementById(region);
  const slow = setTimeout(() => {
    old?.setAttribute("aria-busy", "true");
    bar.hidden = false;
  }, SLOW_MS);
  try {
    const answer = await fetchPatiently(address, request, stop.signal);
    if (!answer) return null;
    const state = answer.headers.get("X-State");
    if (state === "sign-in") {
      const next = `${location.pathname}${location.search}`.slice(`${base}/`.length);
      location.assign(`${base}/login?next=${encodeURIComponent(next)}`);
      return null;
    }
    if (!answer.ok) {
      showUnreached(`The service answered with status ${answer.status}.`, () =>
        swap(address, { region, request, write }),
      );
      return null;
    }
    const text = await answer.text();
    if (stop.signal.aborted) return null;
    showUnreached("");
    const came = elementsOf(text);
    if (state === "busy") {
      showUnreached("The service is busy.", () => swap(address, { region, request, write }));
      return null;
    }
    place(came, state ? "main" : region);
    if (write === "push") history.pushState({}, "", address);
    if (write === "replace") history.replaceState({}, "", address);
    drawn = location.pathname + location.search;
    return came;
  } catch {
    if (stop.signal.aborted) return null;
    showUnreached("The service is not reached. What you typed is kept.", () =>
      swap(address, { region, request, write }),
    );
    return null;
  } finally {
    clearTimeout(slow);
    if (running.get(region) === stop) {
      running.delete(region);
      old?.removeAttribute("aria-busy");
      bar.hidden = true;
    }
  }
}

/**
 * @param {string} address
 * @param {{ method?: string, body?: BodyInit }} request
 * @param {AbortSignal} signal
 */
async function fetchPatiently(address, request, signal) {
  for (let tried = 1; ; tried += 1) {
    const headers = { "X-Fragment": "1" };
    const answer = await fetch(address, { ...request, headers, signal, credentials: "same-origin" });
    if (answer.headers.get("X-State") !== "busy" || tried === TRIES) return answer;
    const seconds = Number(answer.headers.get("Retry-After")) || 1;
    await new Promise((done) => setTimeout(done, 1000 * seconds));
  }
}

/**
 * @param {HTMLElement} one
 * @returns {HTMLElement | null}
 */
const partOf = (one) => one.querySelector(":scope > [data-part]");

/**
 * What is equal in parts marked with data-part stays: the browser lays out again what is new, not all of it.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function exchange(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  const inner = partOf(fresh);
  const was = partOf(old);
  if (fresh.dataset.part === "list") {
    const before = [...old.children];
    const after = [...fresh.children];
    for (const one of before.splice(after.length)) one.remove();
    after.forEach((one, at) => {
      if (!before[at]) old.append(one);
      else if (!before[at].isEqualNode(one)) before[at].replaceWith(one);
    });
  } else if (inner && was) {
    for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
    for (const one of [...old.childNodes]) if (one !== was) one.remove();
    const all = [...fresh.childNodes];
    const at = all.indexOf(inner);
    was.before(...all.slice(0, at));
    was.after(...all.slice(at + 1));
    exchange(was, inner);
  } else old.replaceWith(fresh);
}

/**
 * @param {DocumentFragment} came
 * @param {string} region
 */
function place(came, region) {
  const main = came.querySelector("main");
  if (!main) throw new TypeError("no main part");
  const title = came.querySelector("title");
  if (title && region !== "suggestions") document.title = title.textContent;
  const focused = document.activeElement?.id;
  for (const id of region === "main" || region === "suggestions" ? [region] : [region, "twins"]) {
    const old = document.getElementById(id);
    /** @type {HTMLElement | null} */
    const fresh = id === "main" ? main : main.querySelector(`#${CSS.escape(id)}`);
    if (!old || !fresh) {
      if (old && id === "twins") old.remove();
      if (fresh && id === "twins") the("main", HTMLElement).append(fresh);
      continue;
    }
    if (id === "main") old.replaceChildren(...fresh.childNodes);
    else exchange(old, fresh);
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  document.body.dataset.generation = main.dataset.generation;
  changed.hidden = true;
  if (main.dataset.live) say(main.dataset.live);
  document.dispatchEvent(new CustomEvent("outfitter:drawn", { detail: { region } }));
}

/** @param {HTMLFormElement} form */
function addressOf(form) {
  const said = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") said.append(name, String(value));
  const query = said.toString();
  return query ? `${form.action}?${query}` : form.action;
}

// A field with data-suggest="ADDRESS" has the datalist below it filled with what that page finds.
let suggesting = 0;

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.dataset.suggest || !field.value.trim()) return;
  clearTimeout(suggesting);
  const url = `${field.dataset.suggest}&q=${encodeURIComponent(field.value)}`;
  suggesting = setTimeout(() => swap(url, { region: "suggestions" }), WAIT_MS);
});

// A form with data-live="REGION" answers while it is filled in.
/** @type {WeakMap<HTMLFormElement, number>} */
const waiting = new WeakMap();

document.addEventListener("input", (event) => {
  /** @type {HTMLFormElement | null} */
  const form = around(event.target, "form");
  const region = form?.dataset.live;
  if (!form || !region || event.isComposing) return;
  clearTimeout(waiting.get(form));
  waiting.set(
    form,
    setTimeout(() => swap(addressOf(form), { region, write: "replace" }), WAIT_MS),
  );
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.dataset.live || form.method !== "get") return;
  event.preventDefault();
  clearTimeout(waiting.get(form));
  const address = addressOf(form);
  swap(address, { region: form.dataset.live, write: address === location.href ? "replace" : "push" });
});

// Back and forward lead through the addresses that were pushed; another place on the same page is no other address.
let drawn = location.pathname + location.search;

window.addEventListener("popstate", () => {
  if (location.pathname + location.search !== drawn) location.reload();
});

// A link or button with data-copy, and the one beside a command, copy.
document.addEventListener("click", async (event) => {
  const button = around(event.target, ".copy");
  const text = button?.parentElement?.querySelector("pre");
  if (!button || !text) return;
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = "Copied";
    say("Copied");
  } catch {
    getSelection()?.selectAllChildren(text);
  }
});

// Light, dark: the other one than is seen now.
the("theme-button", HTMLElement).addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep("theme", root.dataset.theme);
  say(`${root.dataset.theme} theme`);
});

// A newer catalogue is offered, never taken by itself.
async function look() {
  if (document.visibilityState !== "visible" || !document.body.dataset.generation) return;
  try {
    const answer = await fetch(`${base}/generation.json`, { credentials: "same-origin" });
    if (!answer.ok) return;
    const { generation } = await answer.json();
    const shown = document.body.dataset.generation;
    if (String(generation) === shown) return;
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = "Draw again";
    changed.replaceChildren(`The catalogue changed: generation ${shown} → ${generation}. `, link);
    changed.hidden = false;
  } catch {
    // Asked again in ten seconds.
  }
}
setInterval(look, LOOK_MS);
