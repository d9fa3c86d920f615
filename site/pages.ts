import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, from the compiled file. */
export const projectFolder = fileURLToPath(new URL("../../", import.meta.url));

export interface Page {
  /** Where it is written, such as `docs/develop/code.md`. */
  source: string;
  /** Where it is read, without its ending: `develop/code`. */
  name: string;
  title: string;
  text: string;
}

/** A heading of the index, and the pages beneath it. */
export interface Group {
  title: string;
  pages: Page[];
}

export interface Site {
  index: Page;
  groups: Group[];
  pages: Page[];
}

/** Pages outside docs/. SECURITY.md only points to one of them. */
const elsewhere = new Map([
  ["README.md", "readme"],
  ["CONTRIBUTING.md", "contributing"],
  ["CHANGELOG.md", "changelog"],
  ["client/README.md", "client"],
  ["client/python/README.md", "client-python"],
]);

/** The anchor of a heading, as the platforms that show Markdown make it. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

function pageOf(root: string, source: string, name: string): Page {
  const text = readFileSync(join(root, source), "utf8");
  return { source, name, text, title: /^# (.+)$/m.exec(text)?.[1] ?? name };
}

/** All pages, grouped as the index groups its links. */
export function readSite(root = projectFolder): Site {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted();
  const pages = [
    ...docs.map((name) => pageOf(root, `docs/${name}`, name.replace(/\.md$/, ""))),
    ...[...elsewhere].map(([source, name]) => pageOf(root, source, name)),
  ];
  const index = pageOf(root, "docs/README.md", "index");
  const groups = index.text
    .split(/^\*\*(?=\w+\*\*$)/m)
    .slice(1)
    .map((part) => {
      const links = [...part.matchAll(/\]\(([^)#\s]+)/g)].map(([, to = ""]) => pageAt(index, to, pages));
      return {
        title: part.slice(0, part.indexOf("*")),
        pages: [...new Set(links.filter((page) => page !== undefined))],
      };
    });
  return { index, groups, pages: [index, ...pages] };
}

/** The page that a link leads to, if it is one: its file, or a folder whose README is one. */
function pageAt(from: Page, to: string, pages: Page[]): Page | undefined {
  const path = posix.join(posix.dirname(from.source), to).replace(/\/$/, "");
  const written = path === "SECURITY.md" ? "docs/security.md" : path;
  return pages.find(({ source }) => source === written || source === `${written}/README.md`);
}

/** Up from a page to the folder of the site: empty, or some `../`. */
export const upFrom = ({ name }: Page) => "../".repeat(name.split("/").length - 1);

/**
 * A link as the site has it, with the ending of what links (`.html` to pages, `.md` to Markdown); undefined where it
 * leads to a file that only the repository has.
 */
export function linkOf(from: Page, link: string, ending: string, { pages }: Site): string | undefined {
  if (/^(https?:|mailto:|#)/.test(link)) return link;
  const [path = "", anchor] = link.split("#");
  const page = pageAt(from, path, pages);
  return page && `${upFrom(from)}${page.name}${ending}${anchor ? `#${anchor}` : ""}`;
}

/** The page as Markdown, with links that hold where it is served. */
export const markdownOf = (page: Page, site: Site) =>
  page.text.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, text: string, to: string) => {
    const link = linkOf(page, to, ".md", site);
    return link === undefined ? text : whole.replace(`(${to})`, `(${link})`);
  });
