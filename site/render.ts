import { Marked, type Token, type Tokens } from "marked";
import { anchorOf, linkOf, type Page, type Site } from "./pages.js";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

export interface Heading {
  depth: number;
  anchor: string;
  /** As text. */
  text: string;
}

/** What stands under one heading, as text: what the search finds. */
export interface Section extends Heading {
  body: string;
}

export interface Rendered {
  html: string;
  sections: Section[];
}

/** The words of tokens, without their marks. */
function textOf(tokens: Token[] = []): string {
  return tokens
    .map((token) => {
      if (token.type === "table") {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].flatMap((row) => row.map((cell) => textOf(cell.tokens))).join(" ");
      }
      if (token.type === "list") return (token as Tokens.List).items.map((item) => textOf(item.tokens)).join(" ");
      if ("tokens" in token && token.tokens) return textOf(token.tokens);
      return "text" in token ? String(token.text) : "";
    })
    .join("")
    .concat(" ");
}
const plain = (tokens?: Token[]) =>
  textOf(tokens)
    .replace(/\s+/g, " ")
    .replace(/ (?=[.,:;!?)])/g, "")
    .trim();

/** The corner of a table that heads nothing is no heading. */
const cell = (html: string, tag: string) => (html ? `<${tag}>${html}</${tag}>` : "<td></td>");

/** A page as HTML, and its sections. */
export function render(page: Page, site: Site): Rendered {
  const sections: Section[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const { anchor = "" } = sections[headings++] ?? {};
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = linkOf(page, href, ".html", site);
        return to === undefined ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`;
      },
      // What is wider than a phone is scrolled by itself; site.js lets the keyboard in where it is.
      code: ({ text }) => `<pre class="wide"><code>${escapeHtml(text)}</code></pre>\n`,
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          `<tr>${row.map(({ tokens }) => cell(this.parser.parseInline(tokens), tag)).join("")}</tr>`;
        const body = token.rows.map((row) => cells(row, "td")).join("\n");
        const head = `<thead>${cells(token.header, "th")}</thead>`;
        return `<div class="wide"><table>${head}<tbody>\n${body}</tbody></table></div>\n`;
      },
      // The pages are ours, and none has HTML in it; what looks like it is text.
      html: ({ text }) => escapeHtml(text),
    },
  });
  let headings = 0;
  const tokens = marked.lexer(page.text);
  for (const token of tokens) {
    if (token.type !== "heading") {
      const last = sections.at(-1);
      if (last) last.body = `${last.body} ${plain([token])}`.trim();
      continue;
    }
    const text = plain(token.tokens);
    const anchor = anchorOf(text);
    const before = taken.get(anchor) ?? 0;
    taken.set(anchor, before + 1);
    sections.push({ depth: token.depth, text, anchor: before ? `${anchor}-${before}` : anchor, body: "" });
  }
  return { html: marked.parser(tokens), sections };
}
