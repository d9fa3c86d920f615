import { Marked } from "marked";
import { readSite } from "../../site/pages.js";

export interface Snippet {
  /** Where it stands, such as `docs/lists.md:104`. */
  at: string;
  page: string;
  language: string;
  /** What else its first line says, such as `POST /api/admin/saved-views`. */
  about: string;
  text: string;
}

/** Every block of code of all pages, those within lists too. */
export function snippets(): Snippet[] {
  const found: Snippet[] = [];
  for (const { source, text: page } of readSite().pages) {
    const marked = new Marked();
    marked.walkTokens(marked.lexer(page), (token) => {
      if (token.type !== "code") return;
      const [language = "", ...about] = (token.lang ?? "").split(" ");
      const line = page.slice(0, Math.max(0, page.indexOf(token.text.split("\n")[0] ?? ""))).split("\n").length;
      found.push({ at: `${source}:${line}`, page: source, language, about: about.join(" "), text: token.text });
    });
  }
  return found;
}

export interface Asked {
  method: string;
  path: string;
  query: string[];
  /** As it is written behind the path or beneath it. */
  rest: string;
}

/** The requests of a block that begins lines with them: `POST /api/admin/lots/8/merge     {"into_lot_id": 7}`. */
export function requestsIn(text: string): Asked[] {
  return text
    .split(/^(?=(?:GET|POST|PUT|PATCH|DELETE) +\/)/m)
    .map((part) => /^([A-Z]+) +(\S+)\s*([\s\S]*)$/.exec(part))
    .filter((match) => match !== null)
    .map(([, method = "", url = "", rest = ""]) => {
      const [path = "", query] = url.split("?");
      return { method: method.toLowerCase(), path, query: [...new URLSearchParams(query).keys()], rest: rest.trim() };
    });
}
