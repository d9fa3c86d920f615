import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { anchorOf } from "../../site/pages.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (name: string) => readFileSync(join(root, name), "utf8");
const files = (folder: string, ends: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ends.test(name) && !name.includes("node_modules") && !name.includes("generated"))
    .map((name) => `${folder}/${name}`);

const papers = [...files("docs", /\.md$/), "README.md", "CONTRIBUTING.md", "SECURITY.md"];
const code = ["activities", "api", "bench", "client", "console", "demo", "migrations", "simulate", "src", "test"]
  .concat("workers", "workflows")
  .flatMap((folder) => files(folder, /\.tsx?$/));

const headingsOf = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);

describe("the papers of the house", () => {
  it("link to what is there", () => {
    const broken = papers.flatMap((paper) =>
      [...read(paper).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]*))?\)/g)]
        .filter(([, to = "", anchor]) => {
          const target = to === "" ? paper : normalize(join(dirname(paper), to));
          if (!existsSync(join(root, target))) return true;
          if (!anchor || !target.endsWith(".md")) return false;
          return !headingsOf(read(target)).some((heading) => anchorOf(heading) === anchor);
        })
        .map(([link]) => `${paper}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it("are all in the index", () => {
    const index = read("docs/README.md");
    const missing = files("docs", /\.md$/)
      .map((name) => name.slice("docs/".length))
      .filter((name) => name !== "README.md" && !index.includes(`(${name})`));
    assert.deepEqual(missing, []);
  });

  it("have a house page that is read in one go", () => {
    assert.ok(statSync(join(root, "docs/house.md")).size <= 15 * 1024);
  });

  it("are named by comments only where they are: a comment says its rule, or a chapter that exists", () => {
    const chapters = headingsOf(read("docs/interface.md"));
    const wrong = [...code, ...papers].flatMap((name) => {
      const text = read(name).replaceAll(/\n\s*(?:\*|\/\/) /g, " ");
      const unknown = [...text.matchAll(/docs\/interface\.md, ([A-Z][^"`]*)/g)]
        .map(([, rest = ""]) => rest)
        .filter((rest) => !chapters.some((chapter) => rest.startsWith(chapter)));
      const gone =
        text.match(/\b(?:spec \d+\.\d|reference \d\d\b|decisions? \d+\b|design rule \d|finding [A-Z]\d)/g) ?? [];
      return [...unknown.map((rest) => rest.slice(0, 40)), ...gone].map((what) => `${name}: ${what}`);
    });
    assert.deepEqual(wrong, []);
  });
});
