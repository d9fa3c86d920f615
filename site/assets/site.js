// The search, and a way in for the keyboard to what is wider than the window. All of it is read from beside this file.
const here = new URL(".", import.meta.url);
const form = document.querySelector("form[role=search]");
const input = form.querySelector("input");
const results = document.querySelector(".results");
const status = results.querySelector("[role=status]");
const list = results.querySelector("ol");
const MOST = 20;
/** Words that are on every page. */
const COMMON = new Set(
  "a an and are as at be by for from how in is it its of on or that the there to what which with".split(" "),
);

let sections;
/** The sections of all pages, read and indexed once somebody searches. */
async function read() {
  const [{ default: MiniSearch }, answer] = await Promise.all([
    import(new URL("minisearch.js", here)),
    fetch(new URL("search.json", here)),
  ]);
  const index = new MiniSearch({
    idField: "at",
    fields: ["page", "heading", "text"],
    storeFields: ["page", "heading", "text"],
    processTerm: (term) => (COMMON.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: { boost: { page: 4, heading: 3 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
  });
  index.addAll(await answer.json());
  return index;
}

/** Some words around the longest one that was found. */
function excerpt(text, terms) {
  const small = text.toLowerCase();
  const place = terms
    .toSorted((a, b) => b.length - a.length)
    .map((term) => small.indexOf(term))
    .find((at) => at >= 0);
  const from = Math.max(0, (place ?? 0) - 60);
  const begin = from === 0 ? 0 : text.indexOf(" ", from) + 1;
  return `${begin > 0 ? "… " : ""}${text.slice(begin, begin + 160)}${text.length > begin + 160 ? " …" : ""}`;
}

function entry({ id, page, heading, text, terms }) {
  const link = document.createElement("a");
  link.href = new URL(id, here);
  link.textContent = heading ? `${page}: ${heading}` : page;
  const words = document.createElement("p");
  words.textContent = excerpt(text, terms);
  const item = document.createElement("li");
  item.append(link, words);
  return item;
}

async function search() {
  const asked = input.value.trim();
  results.hidden = asked === "";
  if (results.hidden) return;
  sections ??= read();
  const index = await sections.catch(() => undefined);
  if (input.value.trim() !== asked) return;
  if (!index) {
    // The next letter tries again.
    sections = undefined;
    status.textContent = "The search could not be loaded.";
    return;
  }
  const hits = index.search(asked);
  status.textContent =
    hits.length > MOST
      ? `${hits.length} found, the best ${MOST}:`
      : hits.length > 0
        ? `${hits.length} found:`
        : "Nothing found.";
  list.replaceChildren(...hits.slice(0, MOST).map(entry));
}

form.hidden = false;
input.addEventListener("input", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !results.hidden) {
    input.value = "";
    results.hidden = true;
    input.focus();
  } else if (event.key === "/" && document.activeElement !== input && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    input.focus();
  }
});
// On a phone the open part of the menu would fill the screen before the page begins.
if (matchMedia("(width < 60rem)").matches)
  for (const part of document.querySelectorAll(".pages details")) part.open = false;
// A hit on the page that is open changes only the anchor.
list.addEventListener("click", () => {
  results.hidden = true;
});

const widened = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth <= target.clientWidth)
      for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
    else {
      target.tabIndex = 0;
      target.setAttribute("role", "group");
      target.setAttribute("aria-label", target.tagName === "PRE" ? "Code" : "Table");
    }
  }
});
for (const wide of document.querySelectorAll(".wide")) widened.observe(wide);
