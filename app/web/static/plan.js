// The plan editor: dragging, keys and buttons send one command; the server draws what became of it, and what is
// allowed. The tab keeps the last plans for undo, and a draft in the address.
import { bindKey } from "./keys.js";
import { around, say, swap, the } from "./live.js";

const KEPT = 100;
const DRAFT_BYTES = 8 * 1024;
const ENDS = ["pointerup", "pointercancel", "keydown"];

/** Where the service cannot show the plan, it shows why in place of the editor. */
const editor = () => document.getElementById("editor");
/** @typedef {HTMLFormElement & { elements: Record<"id" | "plan", HTMLInputElement> }} EditForm */
const form = () =>
  /** @type {EditForm} */
  (the("edit", HTMLFormElement));
const planText = () => form().elements.plan.value;
/** @type {() => HTMLElement[]} */
const steps = () => Array.from(document.querySelectorAll("#steps > .step"));
/** @param {Element | null} one */
const stepOf = (one) => around(one, ".step")?.dataset.step ?? "";

/** @type {string[]} */
const past = [];
/** @type {string[]} */
const future = [];
let kept = planText();
let leaving = false;

// Sending

let sending = false;
/** @type {Promise<unknown>} */
let underWay = Promise.resolve();

/**
 * Post the form with a command; the plan before it goes to the list for undo.
 * One at a time: a second command, made on what is about to be drawn again, is dropped. Only looking may be overtaken,
 * and undo and redo wait: they mean the plan, wherever its parts are drawn.
 * @param {Record<string, string>} fields
 */
async function send(fields, { undoing = false, looking = false } = {}) {
  if (sending || !editor()) return false;
  sending = !looking;
  try {
    const coming = sent(fields, undoing);
    if (!looking) underWay = coming;
    return await coming;
  } finally {
    if (!looking) sending = false;
  }
}

/**
 * @param {Record<string, string>} fields
 * @param {boolean} undoing
 */
async function sent(fields, undoing) {
  const before = planText();
  /** @type {any} */
  const filled = new FormData(form());
  const body = new URLSearchParams(filled);
  body.delete("open");
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  // The calls that gave the plan stay: what is done to it by hand is in the draft.
  const twins = document.getElementById("twins");
  const address = form().getAttribute("action") ?? "";
  const came = await swap(address, { region: "editor", request: { method: "POST", body } });
  if (!came || !editor()) return false;
  if (twins && !document.getElementById("twins")) the("main", HTMLElement).append(twins);
  if (!undoing && planText() !== before) {
    past.push(before);
    past.splice(0, past.length - KEPT);
    future.length = 0;
  }
  settled();
  return true;
}

/**
 * @param {string[]} from
 * @param {string[]} to
 */
async function step(from, to) {
  while (sending) await underWay.catch(() => {});
  if (!editor()) return;
  const plan = from.pop();
  if (plan === undefined) return;
  const now = planText();
  if (await send({ plan, panel: "" }, { undoing: true })) to.push(now);
  else from.push(plan);
  settled();
}
const undo = () => step(past, future);
const redo = () => step(future, past);

/** After every answer: what it says of the address, of what is saved, of where one is. */
function settled() {
  const now = editor();
  if (!now) return;
  const { address, focus } = now.dataset;
  if (address) {
    kept = planText();
    history.replaceState({}, "", address);
    now.dataset.address = "";
  }
  if (focus) document.getElementById(focus)?.focus();
  const refusal = document.getElementById("refusal");
  if (refusal) say(refusal.textContent);
  draw();
  draft();
}

document.addEventListener("submit", (event) => {
  if (!around(event.target, "#edit")) return;
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
  if (button?.name === "export") {
    leaving = true;
    setTimeout(() => (leaving = false), 1000);
    return;
  }
  event.preventDefault();
  if (button?.getAttribute("aria-disabled") === "true") {
    const card = around(button, ".step");
    if (card) refuse(card, refusal(card, Number(button.value.split(" ")[2])));
    return;
  }
  send(button?.name ? { [button.name]: button.value } : {}).then((done) => {
    if (!done) return;
    if (button?.name === "open" && /^(bind|step)/.test(button.value)) document.getElementById("panel-title")?.focus();
    if (button?.value === "theirs") kept = planText();
    draw();
  });
});

// Undo, what is saved, the draft

function draw() {
  const changed = planText() !== kept;
  the("undo", HTMLButtonElement).disabled = !past.length;
  the("redo", HTMLButtonElement).disabled = !future.length;
  const status = the("status", HTMLElement);
  status.classList.toggle("unsaved", changed);
  if (changed) status.textContent = form().elements.id.value ? "changes are not saved" : "not saved";
  wires();
}

/**
 * @param {BlobPart} from
 * @param {ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} stream
 */
const packed = (from, stream) => new Response(new Blob([from]).stream().pipeThrough(stream));

/** @param {string} text */
async function deflated(text) {
  const bytes = new Uint8Array(await packed(text, new CompressionStream("deflate-raw")).arrayBuffer());
  const said = Array.from(bytes, (one) => String.fromCharCode(one)).join("");
  return btoa(said).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function inflated(text) {
  const said = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(said, (one) => one.charCodeAt(0));
  return packed(bytes, new DecompressionStream("deflate-raw")).text();
}

/** The plan in the fragment of the address, which no server sees. */
async function draft() {
  const plan = planText();
  const said = plan === kept ? "" : await deflated(plan);
  if (plan !== planText()) return;
  const small = said && said.length <= DRAFT_BYTES;
  history.replaceState(history.state, "", `${location.pathname}${location.search}${small ? `#draft=${said}` : ""}`);
  form().dataset.tooLarge = said && !small ? "1" : "";
}

async function open() {
  const said = location.hash.startsWith("#draft=") ? location.hash.slice(7) : "";
  if (!said) return;
  try {
    const plan = await inflated(said);
    if (plan !== planText()) await send({ plan });
  } catch {
    say("The draft in the address cannot be read.");
  }
}

window.addEventListener("beforeunload", (event) => {
  if (!leaving && editor() && planText() !== kept) event.preventDefault();
});

document.addEventListener("click", async (event) => {
  const id = around(event.target, "button")?.id;
  if (id === "undo") undo();
  if (id === "redo") redo();
  if (id === "share") {
    if (form().dataset.tooLarge) return say("The draft is too large for an address: save it.");
    try {
      await navigator.clipboard.writeText(location.href);
      say("The address of this draft is copied");
    } catch {
      say("The address of this page holds the draft");
    }
    /** @type {HTMLDetailsElement | null} */
    const menu = around(event.target, "details");
    if (menu) menu.open = false;
  }
});

// Keys

document.addEventListener("keydown", (event) => {
  if (!editor()) return;
  const field = around(event.target, "input, textarea, select");
  const key = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : "";
  if (key === "s" || (key === "z" && !field)) {
    event.preventDefault();
    if (key === "s") document.getElementById("save")?.click();
    else if (event.shiftKey) redo();
    else undo();
    return;
  }
  const card = around(event.target, ".step");
  if (!card || field) return;
  const at = Number(card.dataset.step);
  if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    move(card, at + (event.key === "ArrowUp" ? -1 : 1));
  } else if (event.key === "Delete") {
    event.preventDefault();
    document.getElementById(`remove-${at}`)?.click();
  }
});
bindKey("b", () => {
  const here = document.activeElement;
  const input = around(here, ".input") ?? around(here, ".step")?.querySelector(".input");
  /** @type {HTMLElement | null | undefined} */
  const button = input?.querySelector(".act button");
  button?.click();
});

/**
 * @param {HTMLElement} card
 * @param {number} place
 */
const refusal = (card, place) => {
  const { first, last, notBefore = "", notBehind = "" } = card.dataset;
  if (place < Number(first)) return notBefore;
  return place > Number(last) ? notBehind : "";
};

/**
 * Why something cannot be, for a while, to everybody.
 * @param {HTMLElement} card
 * @param {string} reason
 */
function refuse(card, reason) {
  const said = the("said", HTMLElement);
  card.classList.add("refused");
  said.classList.add("toast");
  setTimeout(() => {
    card.classList.remove("refused");
    said.classList.remove("toast");
  }, 4000);
  say(reason);
}

/**
 * @param {HTMLElement} card
 * @param {number} place
 */
function move(card, place) {
  if (place < 1 || place > steps().length) return;
  const reason = refusal(card, place);
  if (reason) refuse(card, reason);
  else send({ edit: `move ${card.dataset.step} ${place}` });
}

// Dragging, with a mouse, a pen or a finger: a step to another place, a field of an answer to an input

document.addEventListener("pointerdown", (event) => {
  const taken = around(event.target, ".grip, .answer-field");
  if (!taken || event.button) return;
  event.preventDefault();
  if (taken.matches(".answer-field")) return carry(taken, event);
  taken.focus({ preventScroll: true });
  const card = around(taken, ".step");
  if (card) drag(card, event);
});

/**
 * Follow the pointer until it is let go.
 * @param {(event: PointerEvent) => void} follow
 * @param {(dropped: boolean) => void} end hears whether it was, or whether somebody thought better of it
 */
function hold(follow, end) {
  /** @param {PointerEvent} event */
  const moved = (event) => {
    follow(event);
    if (event.clientY < 60) window.scrollBy(0, -12);
    if (event.clientY > window.innerHeight - 60) window.scrollBy(0, 12);
  };
  /** @param {Event} event */
  const done = (event) => {
    if (event instanceof KeyboardEvent && event.key !== "Escape") return;
    document.removeEventListener("pointermove", moved);
    for (const kind of ENDS) document.removeEventListener(kind, done, true);
    end(event.type === "pointerup");
  };
  document.addEventListener("pointermove", moved);
  for (const kind of ENDS) document.addEventListener(kind, done, true);
}

/**
 * @param {HTMLElement} field
 * @param {PointerEvent} begin
 */
function carry(field, begin) {
  const { step = "", refused = "{}" } = field.parentElement?.dataset ?? field.dataset;
  const { path = "", type, fits } = field.dataset;
  /** @type {Record<string, string>} by the number of a step */
  const reasons = JSON.parse(refused);
  const hand = document.createElement("div");
  hand.className = "hand";
  /** @type {HTMLElement | null} */
  let row = null;
  const leave = () => row?.classList.remove("lit", "no");
  /** @param {PointerEvent} event */
  const follow = (event) => {
    leave();
    row = around(document.elementFromPoint(event.clientX, event.clientY), "#steps .input");
    const reason = reasons[stepOf(row)];
    const takes = row?.dataset.takes;
    const odd = takes && fits && !fits.split(" ").includes(takes) ? ` (${type}, where ${takes} is taken)` : "";
    row?.classList.add(reason ? "no" : "lit");
    hand.classList.toggle("no", Boolean(reason));
    hand.textContent = reason || `${path || "the whole answer"} of step ${step}${odd}`;
    hand.style.translate = `${event.clientX + 14}px ${event.clientY + 14}px`;
  };
  for (const one of steps()) one.classList.toggle("no", stepOf(one) in reasons);
  document.body.append(hand);
  follow(begin);
  hold(follow, (dropped) => {
    leave();
    hand.remove();
    for (const one of steps()) one.classList.remove("no");
    if (!dropped || !row) return;
    const card = around(row, ".step");
    if (card && hand.matches(".no")) return refuse(card, hand.textContent);
    // As the fields of the panel about that input would say it.
    const panel = row.querySelector("button")?.value;
    if (panel) send({ bind: "path", source: step, path, panel, open: `step ${step}` });
  });
}

/**
 * @param {HTMLElement} card
 * @param {PointerEvent} begin
 */
function drag(card, begin) {
  const list = the("steps", HTMLElement);
  const all = steps();
  const at = Number(card.dataset.step);
  const middles = all.map((one) => one.offsetTop + one.offsetHeight / 2);
  const scrolled = window.scrollY;
  const line = document.createElement("div");
  line.className = "drop";
  let place = at;

  const mark = () => {
    const reason = refusal(card, place);
    const others = all.filter((one) => one !== card);
    const after = others[place - 2];
    const top = after ? after.offsetTop + after.offsetHeight + 3 : others[0].offsetTop - 7;
    // The policy allows no style attribute, but what a script sets is none.
    line.style.top = `${top + list.offsetTop}px`;
    line.classList.toggle("no", Boolean(reason));
    line.dataset.say = reason || `place ${place}`;
    card.classList.toggle("refused", Boolean(reason));
    if (place === at) line.remove();
    else list.parentElement?.append(line);
  };
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const by = event.clientY - begin.clientY + window.scrollY - scrolled;
    card.style.transform = `translateY(${by}px)`;
    const middle = middles[at - 1] + by;
    const wanted = 1 + middles.filter((one, number) => number !== at - 1 && one < middle).length;
    if (wanted === place) return;
    place = wanted;
    mark();
  };
  list.classList.add("dragging");
  card.classList.add("held");
  all.forEach((one, number) => one.classList.toggle("no", Boolean(refusal(card, number + 1))));
  hold(follow, (dropped) => {
    line.remove();
    list.classList.remove("dragging");
    card.classList.remove("held", "refused");
    card.removeAttribute("style");
    for (const one of all) one.classList.remove("no");
    if (dropped && place !== at && card.isConnected) move(card, place);
  });
}

// Wires, in lanes left of the cards

/**
 * @param {string} name
 * @param {Record<string, string | number>} said its attributes
 */
function drawn(name, said) {
  const one = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(said)) one.setAttribute(key, String(value));
  return one;
}

function wires() {
  const svg = document.querySelector(".wires");
  if (!svg) return;
  const { top, left } = svg.getBoundingClientRect();
  const width = svg.clientWidth;
  const right = width - 4;
  const found = [];
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll("#steps [data-from]");
  for (const row of rows) {
    const end = row.getBoundingClientRect();
    if (!end.height) continue;
    for (const from of (row.dataset.from ?? "").split(" ").filter(Boolean)) {
      const number = document.querySelector(`#step-${from} .number`);
      if (!number) continue;
      const start = number.getBoundingClientRect();
      const [y1, y2] = [start.top + start.height / 2 - top, end.top + end.height / 2 - top];
      found.push({ row, from, y1, y2, end: end.left - left - 3 });
    }
  }
  found.sort((one, other) => one.y2 - one.y1 - (other.y2 - other.y1));
  /** @type {{ low: number, high: number, from: string }[][]} */
  const lanes = [];
  const marks = found.flatMap((wire) => {
    const [low, high] = [Math.min(wire.y1, wire.y2), Math.max(wire.y1, wire.y2)];
    // Wires from one step share a lane; others that overlap do not.
    let lane = lanes.findIndex((taken) => taken.every((one) => one.from === wire.from || high < one.low || low > one.high));
    if (lane < 0) lane = lanes.push([]) - 1;
    lanes[lane].push({ low, high, from: wire.from });
    const x = Math.max(right - 10 - lane * Math.max(4, (width - 16) / Math.max(4, lanes.length)), 3);
    const path = drawn("path", {
      d: `M${right + 14} ${wire.y1}H${x + 6}Q${x} ${wire.y1} ${x} ${wire.y1 + 6}V${wire.y2 - 6}Q${x} ${wire.y2} ${x + 6} ${wire.y2}H${wire.end}`,
      class: wire.row.matches(".toxic") ? "toxic" : wire.row.matches(".when") ? "condition" : "",
      "data-end": wire.row.id,
    });
    return [path, drawn("circle", { cx: wire.end, cy: wire.y2, r: 3 })];
  });
  svg.replaceChildren(...marks);
}

/** @param {HTMLElement | null} row */
function light(row) {
  for (const path of document.querySelectorAll(".wires path")) path.classList.toggle("on", path.getAttribute("data-end") === row?.id);
  const fed = row?.dataset.from ? row : null;
  for (const one of document.querySelectorAll("#steps .input")) one.classList.toggle("lit", one === fed);
}
for (const kind of ["focusin", "mouseover"]) document.addEventListener(kind, (event) => light(around(event.target, ".input")));
document.addEventListener("toggle", (event) => around(event.target, "#editor") && wires(), true);
window.addEventListener("resize", wires);

// A search in the panel answers while it is typed.
let typing = 0;
document.addEventListener("input", (event) => {
  if (!around(event.target, "#search") || event.isComposing) return;
  clearTimeout(typing);
  const find = () => {
    if (sending) typing = setTimeout(find, 50);
    else send({ open: "add" }, { looking: true });
  };
  typing = setTimeout(find, 120);
});

draw();
open();
