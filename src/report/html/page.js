"use strict";
// The page can be read without this: it filters the changes, opens and closes them, and opens what is printed.
(() => {
  const tree = document.getElementById("tree");
  const filter = document.getElementById("filter");
  if (!tree || !filter) return;
  const text = document.getElementById("text");
  const type = document.getElementById("type");
  const shown = document.getElementById("shown");
  const kinds = [...filter.querySelectorAll("input[name=action]")];
  const nodes = [...tree.querySelectorAll("details.group, details.resource")];
  const documents = [...tree.querySelectorAll("section.document")];
  const total = nodes.filter((node) => node.dataset.action).length;
  // What a resource says itself, without what is in it. Collected when it is asked for the first time.
  const own = new Map();
  const words = (node) => {
    if (!own.has(node)) {
      const parts = [...node.children].filter((child) => !child.matches("details.resource"));
      own.set(node, parts.map((part) => part.textContent).join(" ").toLowerCase());
    }
    return own.get(node);
  };

  const apply = () => {
    const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const allowed = new Set(kinds.filter((box) => box.checked).map((box) => box.value));
    const isFiltered = wanted.length > 0 || type.value !== "" || allowed.size < kinds.length;
    const fits = (node) =>
      node.dataset.action !== undefined
      && allowed.has(node.dataset.action)
      && (type.value === "" || node.dataset.type === type.value)
      && wanted.every((word) => words(node).includes(word));
    let count = 0;
    const visible = new Set();
    for (const node of nodes) {
      if (!fits(node)) continue;
      count += 1;
      for (let at = node; at && at !== tree; at = at.parentElement.closest("details")) visible.add(at);
    }
    for (const node of nodes) {
      node.hidden = !visible.has(node);
      // What holds something that is found is open, so that it is seen.
      if (isFiltered && visible.has(node)) {
        const holder = node.parentElement.closest("details");
        if (holder) holder.open = true;
      }
    }
    for (const part of documents) part.hidden = !part.querySelector("details.group:not([hidden])");
    shown.textContent = isFiltered ? `${count} of ${total} shown` : `${total} in all`;
  };

  let timer;
  const soon = () => { clearTimeout(timer); timer = setTimeout(apply, 120); };
  text.addEventListener("input", soon);
  type.addEventListener("change", apply);
  kinds.forEach((box) => box.addEventListener("change", apply));
  filter.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
  // The fields are cleared after this event.
  filter.addEventListener("reset", () => setTimeout(apply));
  const open = (isOpen) => () => {
    for (const node of nodes) if (!node.hidden) node.open = isOpen || node.matches(".group");
  };
  document.getElementById("open").addEventListener("click", open(true));
  document.getElementById("close").addEventListener("click", open(false));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    text.focus();
  });

  // A link to a change opens what holds it, also where the filter hides it.
  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target || !target.matches("details")) return;
    if (target.hidden) filter.reset();
    for (let at = target; at && at !== tree; at = at.parentElement.closest("details")) {
      at.hidden = false;
      at.open = true;
    }
    const part = target.closest("section.document");
    if (part) part.hidden = false;
    target.scrollIntoView({ block: "center" });
    target.querySelector("summary").focus({ preventScroll: true });
  };
  window.addEventListener("hashchange", follow);
  // The same link again is no change of the address.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#change-"]');
    if (link && link.getAttribute("href") === location.hash) follow();
  });

  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((node) => { node.open = true; });
  });
  window.addEventListener("afterprint", () => closed.forEach((node) => { node.open = false; }));

  filter.hidden = false;
  apply();
  follow();
})();
