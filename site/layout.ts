import { type Page, type Site, upFrom } from "./pages.js";
import { escapeHtml, type Rendered } from "./render.js";

const NAME = "Warehouse Execution Service";

function menu(page: Page, { groups }: Site, up: string): string {
  const entry = (to: Page) =>
    `<li><a href="${up}${to.name}.html"${to === page ? ' aria-current="page"' : ""}>${escapeHtml(to.title)}</a></li>`;
  return groups
    .map(({ title, pages }) => {
      const open = pages.includes(page) || page.name === "index" ? " open" : "";
      return `<details${open}><summary>${title}</summary><ul>\n${pages.map(entry).join("\n")}\n</ul></details>`;
    })
    .join("\n");
}

/** The chapters of a page that has several. */
function contents({ sections }: Rendered): string {
  const chapters = sections.filter(({ depth }) => depth === 2);
  if (chapters.length < 3) return "";
  const entries = chapters.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`);
  return `<nav class="chapters" aria-label="On this page"><details><summary>On this page</summary>
<ul>
${entries.join("\n")}
</ul></details></nav>`;
}

/** A whole page. No script or style is in it, so that a strict policy holds; without scripts all but the search works. */
export function layout(page: Page, rendered: Rendered, site: Site): string {
  const up = upFrom(page);
  const title = page.name === "index" ? `${NAME}: documentation` : `${page.title} · ${NAME}`;
  const file = page.name.slice(page.name.lastIndexOf("/") + 1);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${up}icon.svg">
<link rel="stylesheet" href="${up}site.css">
<link rel="alternate" type="text/markdown" href="${file}.md">
<script type="module" src="${up}site.js"></script>
</head>
<body>
<a class="skip" href="#page">To the page</a>
<header>
<a class="name" href="${up}index.html">${NAME}</a>
<form role="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" aria-describedby="found">
</form>
</header>
<section class="results" aria-label="Search results" hidden>
<p id="found" role="status"></p>
<ol></ol>
</section>
<nav class="pages" aria-label="Pages">
${menu(page, site, up)}
</nav>
<main id="page" tabindex="-1">
${contents(rendered)}
${rendered.html}
</main>
<footer>
<a href="${file}.md">This page as Markdown</a>
<a href="${up || "./"}">API reference</a>
</footer>
</body>
</html>
`;
}
