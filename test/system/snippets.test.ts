import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse as parseCsv } from "csv-parse/sync";
import { parse as parseYaml } from "yaml";
import { db } from "../support/db.js";
import { validator } from "../support/json-schema.js";
import { json, operations } from "../support/operations.js";
import { testService } from "../support/service.js";
import { type Asked, requestsIn, type Snippet, snippets } from "../support/snippets.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const all = snippets();
const of = (...languages: string[]) => all.filter(({ language }) => languages.includes(language));
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;

/** What a test of its own runs or reads, with more than is known here. */
const elsewhere: Record<string, string> = {
  "docs/mappings.md json": "test/inbound/mapping-docs-orders.test.ts",
  "docs/mappings.md jsonpath": "test/inbound/mapping-docs.test.ts",
  "docs/mappings.md python": "test/inbound/mapping-docs.test.ts",
  "docs/connectors.md ts": "test/connectors/docs.test.ts",
  "docs/connectors-csv.md csv": "test/connectors/csv-drop-docs.test.ts",
  "docs/webhooks.md json": "test/outbound/webhook-docs.test.ts",
};

/** What surrounds a block, so that it compiles; other blocks are sketches, of which the form is checked. */
const surroundings: Record<string, string> = {
  "client/README.md": `
    declare const username: string, password: string, po_id: number, item_id: number, bin_id: number;
    declare function showWhatIsLeft(body: object): void;`,
  "docs/polling.md": `
    declare const url: string, token: string;
    declare function loadPlace(): Promise<number>;
    declare function savePlace(place: number): Promise<void>;
    declare function sleep(ms: number): Promise<void>;
    declare function dealWith(event: object): Promise<void>;
    declare function inOneTransaction(work: () => Promise<void>): Promise<void>;`,
};

/** Segments of a path that stand for something: `<so_id>`, `{so_id}`, a number or a code. */
function fits(declared: string, path: string): boolean {
  const [wanted, given] = [declared.split("/"), path.split("/")];
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith(":") || part === given[i]);
}
/** Of several that fit, the one without a parameter: `/parcels/rest` is no parcel. */
const operationOf = ({ method, path }: Pick<Asked, "method" | "path">) =>
  operations
    .filter(({ route }) => route.method === method && fits(route.path, path))
    .toSorted((a, b) => a.route.path.split(":").length - b.route.path.split(":").length)[0]?.operation;

/** Why JSON is not what a route takes, if it is not. */
function faultOfBody(asked: Asked, text: string): string | undefined {
  const schema = json(operationOf(asked)?.requestBody)?.schema;
  if (!schema) return "the route takes no JSON";
  const accepts = validator(schema);
  return accepts(JSON.parse(text)) ? undefined : JSON.stringify(accepts.errors);
}

/** Whether JSON is one of a route's answers. */
const isAnswer = (asked: Asked, text: string) =>
  Object.values(operationOf(asked)?.responses ?? {}).some((response) => {
    const schema = json(response)?.schema;
    return schema && validator(schema)(JSON.parse(text));
  });

/** What is wrong with the requests of a block, in words. */
function faultsOf(text: string): string[] {
  return requestsIn(text).flatMap((asked) => {
    const name = `${asked.method} ${asked.path}`;
    const operation = operationOf(asked);
    if (!operation) return [`${name}: no such route`];
    const known = operation.parameters.map((parameter) => parameter.name);
    // A parameter that is refused is shown once, on purpose.
    const unknown = asked.query.filter((parameter) => !known.includes(parameter) && parameter !== "colour");
    // `{…, "lease_id": "…"}` is a part of a body.
    const isBody = asked.rest.startsWith("{") && !asked.rest.startsWith("{…");
    const fault = isBody ? faultOfBody(asked, asked.rest) : undefined;
    return [
      ...unknown.map((parameter) => `${name}: no parameter ${parameter}`),
      ...(fault ? [`${name}: ${fault}`] : []),
    ];
  });
}

describe("the blocks of code in the pages", function () {
  this.timeout(60_000);
  testService();
  const folder = mkdtempSync(join(tmpdir(), "snippets-"));
  after(() => rmSync(folder, { recursive: true }));

  /** Names the blocks in which there is a fault. */
  const none = (found: Snippet[], faults: (snippet: Snippet) => string[]) => {
    assert.ok(found.length > 0);
    assert.deepEqual(
      found.flatMap((snippet) => faults(snippet).map((fault) => `${snippet.at}: ${fault}`)),
      [],
    );
  };

  it("are in languages that are tested", () => {
    const tested = [
      "",
      "bash",
      "csv",
      "http",
      "json",
      "jsonpath",
      "mermaid",
      "python",
      "sh",
      "sql",
      "ts",
      "tsx",
      "yaml",
    ];
    none(all, ({ language }) => (tested.includes(language) ? [] : [`nothing tests ${language}`]));
    for (const [what, test] of Object.entries(elsewhere)) {
      const [page = "", language] = what.split(" ");
      assert.ok(
        all.some((snippet) => snippet.page === page && snippet.language === language),
        what,
      );
      assert.ok(readFileSync(join(root, test), "utf8").includes(page), `${test} is not about ${page}`);
    }
    const pythons = of("python", "jsonpath").filter(({ page, language }) => !elsewhere[`${page} ${language}`]);
    assert.deepEqual(
      pythons.filter(({ language }) => language === "jsonpath"),
      [],
    );
  });

  it("in bash are pasted by a test of their walk", () => {
    const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(root, "test", name), "utf8"))
      .filter((text) => text.includes("/walks.js"));
    none(of("bash"), ({ page }) => (tests.some((text) => text.includes(`"${page}"`)) ? [] : ["no test walks it"]));
  });

  it("in sh are whole, and name scripts, programs and routes that there are", () => {
    none(of("sh"), ({ text }) => {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
      const run = [...text.matchAll(/\bnpm (?:run )?([\w:]+)/g)].map(([, name = ""]) => name);
      const programs = [...text.matchAll(/\bdist\/([\w/-]+)\.js\b/g)].map(([, name]) => `${name}.ts`);
      const routes = [...text.matchAll(/https?:\/\/[^/\s"']+(\/api\/[^\s"'?]+)/g)].map(([, path = ""]) => path);
      const known = (path: string) => operations.some(({ route }) => fits(route.path, path));
      return [
        ...(status === 0 ? [] : [stderr]),
        ...run.filter((name) => !scripts[name] && !["install", "ci"].includes(name)).map((name) => `no script ${name}`),
        ...programs.filter((name) => !existsSync(join(root, name))).map((name) => `no ${name}`),
        ...routes.filter((path) => !known(path)).map((path) => `no route ${path}`),
      ];
    });
  });

  it("that are requests name routes, their parameters and bodies that they take", () => {
    none(of(""), ({ text }) => faultsOf(text));
  });

  it("in JSON are JSON, and what their first line calls a request or an answer is one", () => {
    const unnamed = of("json").filter(({ page }) => !elsewhere[`${page} json`]);
    none(unnamed, ({ about, text }) => {
      const [asked] = requestsIn(about.replace(/^answer of /, ""));
      if (about === "not of the interface") return [];
      if (!asked) return ["its first line names no route; or ```json not of the interface"];
      if (!operationOf(asked)) return ["its first line names a route that there is not"];
      if (about.startsWith("answer of ")) return isAnswer(asked, text) ? [] : [`no answer of ${asked.path}`];
      const fault = faultOfBody(asked, text);
      return fault ? [fault] : [];
    });
    none(of("json"), ({ text }) => (JSON.parse(text) ? [] : ["nothing"]));
  });

  it("in HTTP are a request: its line, headers, and a body", () => {
    none(of("http"), ({ text }) => {
      const [head = "", body = ""] = text.split("\n\n");
      const [line = "", ...headers] = head.split("\n");
      const wrong = headers.filter((header) => !/^[\w-]+: \S/.test(header));
      if (!/^[A-Z]+ \/\S* HTTP\/1\.1$/.test(line)) wrong.push(line);
      if (!body.includes("…")) JSON.parse(body);
      return wrong;
    });
  });

  it("in YAML and CSV can be read", () => {
    none(of("yaml"), ({ text }) => (parseYaml(text) ? [] : ["nothing"]));
    none(of("csv"), ({ text }) => {
      const rows: string[][] = parseCsv(text, { delimiter: text.split("\n")[0]?.includes(";") ? ";" : "," });
      return rows.length > 1 ? [] : ["no rows"];
    });
  });

  it("in SQL are understood by Postgres, and what they select is there", async () => {
    for (const { text, at } of of("sql")) {
      // A function is parsed when it is made, and what stands in it is not run.
      await db.run(
        `create or replace function parsed() returns void language plpgsql as $parsed$ begin ${text} end $parsed$`,
      );
      if (/^select/.test(text)) await assert.doesNotReject(db.run(`explain ${text}`), at);
    }
  });

  it("in TypeScript compile with what surrounds them; those of the code's own pages have its form", async () => {
    const found = of("ts", "tsx").filter(({ page, language }) => !elsewhere[`${page} ${language}`]);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const options = {
      target: "ES2024",
      module: "NodeNext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      jsx: "preserve",
    };
    for (const whole of [true, false]) {
      const files = found
        .filter(({ page }) => page in surroundings === whole)
        .map(({ page, language, text }, i) => {
          const name = `${whole ? "whole" : "sketch"}-${i}.${language}`;
          writeFileSync(
            join(folder, name),
            `${surroundings[page] ?? ""}\n${text.replaceAll("…", "/* … */")}\nexport {};\n`,
          );
          return name;
        });
      assert.ok(files.length > 0);
      const paths = { "warehouse-client": [join(root, "client/dist/src/index.d.ts")] };
      const compilerOptions = { ...options, types: ["node"], paths, noCheck: !whole };
      writeFileSync(join(folder, "package.json"), '{"type":"module"}');
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const failed = (error: { stdout?: string }) => assert.fail(error.stdout || String(error));
      await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(failed);
    }
  });

  it("in Python compile", function () {
    const found = of("python").filter(({ page }) => !elsewhere[`${page} python`]);
    const python = spawnSync("python3", ["-c", "pass"]).status === 0;
    if (!python) {
      console.log("      there is no python3");
      this.skip();
    }
    for (const { text } of found)
      execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input: text });
  });

  it("that are pictures begin with a kind of picture that Mermaid has", () => {
    none(of("mermaid"), ({ text }) =>
      /^(flowchart (LR|TD)|sequenceDiagram|erDiagram|stateDiagram-v2)\n/.test(text) ? [] : [text.split("\n")[0] ?? ""],
    );
  });
});
