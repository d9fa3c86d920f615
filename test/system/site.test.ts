import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readSite } from "../../site/pages.js";
import { consoleBrowser } from "../support/console.js";
import { testService } from "../support/service.js";

const folder = fileURLToPath(new URL("../../docs/", import.meta.url));
const site = readSite();

describe("the documentation, as the service has it", () => {
  const service = testService();
  const browser = consoleBrowser(() => service);
  const text = async (path: string) => {
    const answer = await fetch(service.url + path);
    assert.equal(answer.status, 200, path);
    return { headers: answer.headers, body: await answer.text() };
  };

  it("has every page, as HTML and as Markdown, in a group of the index", async () => {
    const built = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(html|md)$/.test(name),
    );
    const expected = site.pages.flatMap(({ name }) => [`${name}.html`, `${name}.md`]);
    assert.deepEqual(built.toSorted(), expected.toSorted());
    assert.deepEqual(
      site.groups.map(({ title }) => title),
      ["Start", "Use", "Integrate", "Operate", "Develop"],
    );
    const grouped = new Set(site.groups.flatMap(({ pages }) => pages));
    assert.deepEqual(
      site.pages.filter((page) => !grouped.has(page)).map(({ name }) => name),
      ["index"],
    );
    const markdown = await text("/docs/develop/code.md");
    assert.equal(markdown.headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.ok(markdown.body.startsWith("# "));
  });

  it("links only to what it has, and to anchors that are there", async () => {
    const broken: string[] = [];
    const pages = new Map<string, string>();
    for (const { name } of site.pages) pages.set(`/docs/${name}.html`, (await text(`/docs/${name}.html`)).body);
    for (const [path, html] of pages)
      for (const [, href = ""] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^(https?|mailto):/.test(href)) continue;
        const { pathname, hash } = new URL(href, `http://here${path}`);
        const page = pages.get(pathname);
        const isThere =
          page !== undefined || pathname === "/docs/" || existsSync(folder + pathname.slice("/docs/".length));
        const anchor = decodeURIComponent(hash.slice(1));
        if (!isThere || (anchor && !page?.includes(` id="${anchor}"`))) broken.push(`${path}: ${href}`);
      }
    assert.deepEqual(broken, []);
    assert.equal((await fetch(`${service.url}/docs/no-such-page.html`)).status, 404);
    assert.equal((await fetch(`${service.url}/docs/..%2f..%2fpackage.json`)).status, 404);
  });

  it("tells programs of all pages in llms.txt", async () => {
    const { body, headers } = await text("/llms.txt");
    assert.equal(headers.get("content-type"), "text/plain; charset=utf-8");
    assert.match(body, /^# Warehouse Execution Service\n\n> \S.+\n\n## Start\n\n- \[/);
    const links = [...body.matchAll(/^- \[.+?\]\((.+?)\): \S/gm)].map(([, link]) => link);
    const grouped = site.groups.flatMap(({ pages }) => pages.map(({ name }) => `${name}.md`));
    assert.deepEqual(links, grouped);
  });

  it("allows no script or style but its own files", async () => {
    const { headers } = await text("/docs/webhooks.html");
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none';script-src 'self';style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    // The reference stays what it was at its address, with a slash or without.
    for (const path of ["/docs", "/docs/"]) assert.match((await text(path)).body, /swagger-ui/);
  });

  for (const name of ["index", "webhooks", "house"])
    it(`${name} can be read by everybody`, () =>
      browser.look(`docs-${name}`, { path: `/docs/${name}.html` }, (page) =>
        page.getByRole("heading", { level: 1 }).waitFor(),
      ));

  it("is searched by the keyboard alone, and leads to the chapter", async () => {
    const page = await browser.open({ path: "/docs/develop/code.html", size: "phone", colours: "dark" });
    await page.getByRole("searchbox", { name: "Search" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("replay of many");
    const hit = page.getByRole("region", { name: "Search results" }).getByRole("link", { name: /^Webhooks: / });
    await hit.first().waitFor();
    await browser.check(page, "docs-search");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.closest('.results') !== null"), true);
    await hit.first().click();
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
    assert.match(page.url(), /\/docs\/webhooks\.html#.+/);
    await page.keyboard.press("/");
    await page.keyboard.type("zyzzyva");
    await page.getByText("Nothing found.").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("searchbox").inputValue(), "");
  });
});
