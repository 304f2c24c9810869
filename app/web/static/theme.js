// Runs before the first paint: the theme that was chosen here, and that scripts run at all.
"use strict";
{
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const chosen = localStorage.getItem("outfitter.theme");
    if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  } catch {
    // Storage is switched off: the system's theme it is.
  }
}
