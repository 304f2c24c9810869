// The plan editor: dragging, keys and buttons send one command; the server draws what became of it.
// What is allowed is written in the cards. The tab keeps the last plans for undo, and a draft in the address.
import { bindKey } from "./keys.js";
import { say, swap } from "./live.js";

const KEPT = 100;
const DRAFT_BYTES = 8 * 1024;

const editor = () => document.getElementById("editor");
const form = () => document.getElementById("edit");
const planText = () => form().elements.plan.value;
const steps = () => [...document.querySelectorAll("#steps > .step")];

const past = [];
const future = [];
let kept = planText();
let leaving = false;

// Sending

let sending = false;

/**
 * Post the form with a command; the plan before it goes to the list for undo.
 * One at a time: a second command, made on what is about to be drawn again, is dropped. Only looking may be overtaken.
 */
async function send(fields, { undoing = false, looking = false } = {}) {
  if (sending) return false;
  sending = !looking;
  try {
    return await sent(fields, undoing);
  } finally {
    if (!looking) sending = false;
  }
}

async function sent(fields, undoing) {
  const before = planText();
  const body = new URLSearchParams(new FormData(form()));
  body.delete("open");
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  // The calls that gave the plan stay: what is done to it by hand is in the draft.
  const twins = document.getElementById("twins");
  const came = await swap(form().getAttribute("action"), { region: "editor", request: { method: "POST", body } });
  if (!came || !editor()) return false;
  if (twins && !document.getElementById("twins")) document.getElementById("main").append(twins);
  if (!undoing && planText() !== before) {
    past.push(before);
    past.splice(0, past.length - KEPT);
    future.length = 0;
  }
  settled();
  return true;
}

const command = (edit) => send({ edit: JSON.stringify(edit) });

async function step(from, to) {
  if (!from.length || sending) return;
  const now = planText();
  const plan = from.pop();
  if (await send({ plan, panel: "" }, { undoing: true })) to.push(now);
  else from.push(plan);
  settled();
}
const undo = () => step(past, future);
const redo = () => step(future, past);

/** After every answer: what it says of the address, of what is saved, of where one is. */
function settled() {
  const { address, focus } = editor().dataset;
  if (address) {
    kept = planText();
    history.replaceState({}, "", address);
    editor().dataset.address = "";
  }
  if (focus) document.getElementById(focus)?.focus();
  const refusal = document.getElementById("refusal");
  if (refusal) say(refusal.textContent);
  draw();
  draft();
}

document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  const button = event.submitter;
  if (button?.name === "export") {
    leaving = true;
    setTimeout(() => (leaving = false), 1000);
    return;
  }
  event.preventDefault();
  if (button?.getAttribute("aria-disabled") === "true") {
    say(button.title);
    refuse(button.closest(".step"), button.title);
    return;
  }
  send(button?.name ? { [button.name]: button.value } : {}).then((done) => {
    if (!done) return;
    if (button?.name === "open" && button.value.startsWith("bind")) document.getElementById("panel-title")?.focus();
    if (button?.value === "theirs") kept = planText();
    draw();
  });
});

// Undo, what is saved, the draft

function draw() {
  const changed = planText() !== kept;
  document.getElementById("undo").disabled = !past.length;
  document.getElementById("redo").disabled = !future.length;
  const status = document.getElementById("status");
  status.classList.toggle("unsaved", changed);
  if (changed) status.textContent = form().elements.id.value ? "changes are not saved" : "not saved";
  wires();
}

const packed = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

async function deflated(text) {
  const bytes = await packed(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let said = "";
  for (const byte of bytes) said += String.fromCharCode(byte);
  return btoa(said).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function inflated(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  return new TextDecoder().decode(await packed(bytes, new DecompressionStream("deflate-raw")));
}

/** The plan in the fragment of the address, which no server sees: for whoever it is sent to. */
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
  if (!leaving && form() && planText() !== kept) event.preventDefault();
});

document.addEventListener("click", async (event) => {
  const id = event.target.closest?.("button")?.id;
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
    event.target.closest("details").open = false;
  }
  // Following a step's number is no leaving; following another link with edits asks.
});

// Keys: Alt and arrows move, b binds, Delete removes, Ctrl+Z undoes

document.addEventListener("keydown", (event) => {
  if (!form()) return;
  const field = event.target.closest?.("input, textarea, select");
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !field) {
    event.preventDefault();
    if (event.shiftKey) redo();
    else undo();
    return;
  }
  const card = event.target.closest?.(".step");
  if (!card || field) return;
  const at = Number(card.dataset.step);
  if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    move(card, at + (event.key === "ArrowUp" ? -1 : 1));
  } else if (event.key === "Delete") {
    event.preventDefault();
    document.getElementById(`remove-${at}`).click();
  }
});
bindKey("b", () => {
  const here = document.activeElement;
  (here?.closest?.(".input") ?? here?.closest?.(".step")?.querySelector(".input"))?.querySelector(".act button")?.click();
});

const refusal = (card, place) => {
  if (place < Number(card.dataset.first)) return card.dataset.notBefore;
  return place > Number(card.dataset.last) ? card.dataset.notBehind : "";
};

function refuse(card, reason) {
  card?.classList.add("refused");
  setTimeout(() => card?.classList.remove("refused"), 1200);
  say(reason);
}

function move(card, place) {
  if (place < 1 || place > steps().length) return;
  const reason = refusal(card, place);
  if (reason) refuse(card, reason);
  else command({ edit: "move", step: Number(card.dataset.step), to: place });
}

// Dragging, with a mouse, a pen or a finger

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip || event.button) return;
  event.preventDefault();
  grip.focus({ preventScroll: true });
  drag(grip.closest(".step"), event);
});

function drag(card, begin) {
  const list = card.parentElement;
  const box = list.parentElement;
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
    // A style sheet of our own: the policy allows no style attribute, but what a script sets is no attribute.
    line.style.top = `${top + list.offsetTop}px`;
    line.classList.toggle("no", Boolean(reason));
    line.dataset.say = reason || `place ${place}`;
    card.classList.toggle("refused", Boolean(reason));
    if (place === at) line.remove();
    else box.append(line);
  };
  const follow = (event) => {
    const by = event.clientY - begin.clientY + window.scrollY - scrolled;
    card.style.transform = `translateY(${by}px)`;
    const middle = middles[at - 1] + by;
    const wanted = 1 + middles.filter((one, number) => number !== at - 1 && one < middle).length;
    if (wanted !== place) {
      place = wanted;
      mark();
    }
    if (event.clientY < 60) window.scrollBy(0, -12);
    if (event.clientY > window.innerHeight - 60) window.scrollBy(0, 12);
  };
  const end = (event) => {
    document.removeEventListener("pointermove", follow);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", end);
    document.removeEventListener("keydown", escape, true);
    line.remove();
    list.classList.remove("dragging");
    card.classList.remove("held", "refused");
    card.style.transform = "";
    for (const one of all) one.classList.remove("no");
    if (event.type === "pointerup" && place !== at && card.isConnected) move(card, place);
  };
  const escape = (event) => {
    if (event.key === "Escape") end(event);
  };
  list.classList.add("dragging");
  card.classList.add("held");
  all.forEach((one, number) => one.classList.toggle("no", Boolean(refusal(card, number + 1))));
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", escape, true);
}

// Wires: from the step that gives a value to the input that takes it, in lanes left of the cards

function wires() {
  const svg = document.querySelector(".wires");
  if (!svg) return;
  const { top, left } = svg.getBoundingClientRect();
  const width = svg.clientWidth;
  const right = width - 4;
  const found = [];
  for (const row of document.querySelectorAll("#steps [data-from]")) {
    const end = row.getBoundingClientRect();
    if (!end.height) continue;
    for (const from of row.dataset.from.split(" ").filter(Boolean)) {
      const number = document.querySelector(`#step-${from} .number`);
      if (!number) continue;
      const start = number.getBoundingClientRect();
      const [y1, y2] = [start.top + start.height / 2 - top, end.top + end.height / 2 - top];
      found.push({ row, from, y1, y2, end: end.left - left - 3 });
    }
  }
  found.sort((one, other) => one.y2 - one.y1 - (other.y2 - other.y1));
  const lanes = [];
  const marks = found.flatMap((wire) => {
    const [low, high] = [Math.min(wire.y1, wire.y2), Math.max(wire.y1, wire.y2)];
    // Wires from one step share a lane; others that overlap do not.
    let lane = lanes.findIndex((taken) => taken.every((one) => one.from === wire.from || high < one.low || low > one.high));
    if (lane < 0) lane = lanes.push([]) - 1;
    lanes[lane].push({ low, high, from: wire.from });
    const x = Math.max(right - 10 - lane * Math.max(4, (width - 16) / Math.max(4, lanes.length)), 3);
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", `M${right + 14} ${wire.y1}H${x + 6}Q${x} ${wire.y1} ${x} ${wire.y1 + 6}V${wire.y2 - 6}Q${x} ${wire.y2} ${x + 6} ${wire.y2}H${wire.end}`);
    path.classList.toggle("condition", wire.row.matches(".when"));
    path.classList.toggle("toxic", wire.row.matches(".toxic"));
    path.dataset.row = wire.row.id;
    path.dataset.from = wire.from;
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    dot.setAttribute("cx", wire.end);
    dot.setAttribute("cy", wire.y2);
    dot.setAttribute("r", 3);
    return [path, dot];
  });
  svg.replaceChildren(...marks);
}

function light(row) {
  for (const path of document.querySelectorAll(".wires path")) path.classList.toggle("on", path.dataset.row === row?.id);
  for (const one of document.querySelectorAll("#steps .input")) one.classList.toggle("lit", one === row && Boolean(row.dataset.from));
}
for (const kind of ["focusin", "mouseover"]) document.addEventListener(kind, (event) => light(event.target.closest?.(".input")));
document.addEventListener("toggle", (event) => event.target.closest?.("#editor") && wires(), true);
window.addEventListener("resize", wires);

// A search in the panel answers while it is typed.
let typing = 0;
document.addEventListener("input", (event) => {
  if (event.target.id !== "search" || event.isComposing) return;
  clearTimeout(typing);
  const find = () => {
    if (sending) typing = setTimeout(find, 50);
    else send({ open: "add" }, { looking: true });
  };
  typing = setTimeout(find, 120);
});

draw();
open();
