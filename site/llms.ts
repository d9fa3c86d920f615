import type { Page, Site } from "./pages.js";
import { render } from "./render.js";

/** The first sentence or two of a page: its first paragraph, cut where a sentence ends. */
function about(page: Page, site: Site): string {
  const body = render(page, site).sections.find(({ body }) => body)?.body ?? "";
  return /^.{20,200}?[.:](?= |$)/.exec(body)?.[0].replace(/:$/, ".") ?? body.slice(0, 200);
}

/** The site for programs that read (llmstxt.org): what it is, and its pages as Markdown, by group. */
export function llmsTxt(site: Site): string {
  const readme = site.pages.find(({ name }) => name === "readme");
  const lines = site.groups.flatMap(({ title, pages }) => [
    `## ${title}`,
    "",
    ...pages.map((page) => `- [${page.title}](${page.name}.md): ${about(page, site)}`),
    "",
  ]);
  return [`# ${readme?.title}`, "", `> ${readme && about(readme, site)}`, "", ...lines].join("\n");
}
