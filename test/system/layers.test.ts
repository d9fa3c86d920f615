import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pluck } from "../support/pluck.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What each folder may import of the others (docs/house.md); workers and tests may import all. */
const layers: Record<string, { values: string[]; types: string[] }> = {
  api: { values: ["activities", "demo", "src"], types: ["workflows"] },
  workflows: { values: ["src"], types: ["activities"] },
  activities: { values: ["src"], types: [] },
  src: { values: [], types: [] },
  migrations: { values: [], types: [] },
  examples: { values: [], types: [] },
  simulate: { values: ["src", "examples"], types: [] },
};

/** The areas, by one word in all layers (docs/house.md); each imports only of those that stand before it. */
const areas = [
  ...["auth", "system", "serials", "stock", "master-data", "purchasing", "receiving", "counting"],
  ...["sales-orders", "picking"],
  ...[
    "lots",
    "transfers",
    "shipping",
    "returns",
    "recalls",
    "station",
    "pos",
    "outbound",
    "inbound",
    "partners",
    "connectors",
    "imports",
    "carriers",
    "printing",
    "agents",
    "sandboxes",
    "reports",
  ],
];

/** What stands before the areas of a layer, and after them; a name that ends with a slash is a folder. */
const around: Record<string, { order: string[]; before: RegExp }> = {
  src: { order: areas, before: /^platform\// },
  // Who writes a whole order picks and ships it; what is received may be inspected; a label is printed once bought.
  activities: {
    order: after("lots", "receiving", after("shipping", "sales-orders", after("printing", "carriers", areas))),
    before: /^[^/]*$/,
  },
  api: { order: areas, before: /^http\// },
  "console/desk/pages": { order: areas, before: /^$/ },
  "console/scan/pages": { order: areas, before: /^$/ },
};

function after(area: string, moved: string, order: string[]): string[] {
  const others = order.filter((name) => name !== moved);
  return others.toSpliced(others.indexOf(area) + 1, 0, moved);
}

/** How high a file stands in its layer. */
function heightOf(layer: string, path: string): number {
  const { order, before } = around[layer] as (typeof around)[string];
  const name = path.slice(layer.length + 1);
  if (before.test(name)) return -1;
  const area = order.indexOf(name.split("/")[0] ?? "");
  return area < 0 ? order.length : area;
}

/** What a layer has beside the areas. */
const ownFolders: Record<string, string[]> = {
  api: ["console", "http", "openapi"],
  activities: ["maintenance"],
  src: ["launcher", "platform"],
  test: ["client", "cluster", "console", "files", "histories", "simulate", "support", "workflows"],
};

interface Import {
  from: string;
  typeOnly: boolean;
}

interface Source {
  folder: string;
  path: string;
  /** Without its comments. */
  text: string;
  imports: Import[];
}

const anImport = /(?:^(?:import|export)\b(?<type>\s+type\b)?[^;"]*?|\bimport\()"(?<from>[^"]+)"/gm;

function read(path: string): Source {
  const text = readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const imports = [...text.matchAll(anImport)].map(({ groups = {} }) => ({
    from: groups.from ?? "",
    typeOnly: groups.type !== undefined,
  }));
  return { folder: path.split("/")[0] ?? "", path, text, imports };
}

const folders = ["api", "workflows", "activities", "workers", "src", "migrations", "examples", "simulate"];

const namesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?tsx?$|\.mjs$/.test(name))
    .map((name) => join(folder, name));

const sourcesIn = (folder: string): Source[] => namesIn(folder).map(read);

const sources = folders.flatMap(sourcesIn);

/** The folder of this project that an import leads to, if it does. */
function target(source: Source, { from }: Import): string | undefined {
  const path = join(dirname(source.path), from).replace(/^dist\//, "");
  return from.startsWith(".") ? [...folders, "test"].find((folder) => path.startsWith(`${folder}/`)) : undefined;
}

/** The files or folders that two paths lead through once they have parted. */
function branches(one: string, other: string): [string, string] {
  const [a, b] = [one.split("/"), other.split("/")];
  const parting = a.findIndex((part, i) => part !== b[i]) + 1;
  return [a.slice(0, parting).join("/"), b.slice(0, parting).join("/")];
}

describe("the layers", () => {
  it("import only downwards", () => {
    const wrong = sources.flatMap((source) => {
      const layer = layers[source.folder];
      if (!layer) return [];
      return source.imports
        .filter((entry) => {
          const to = target(source, entry);
          if (to === undefined || to === source.folder || layer.values.includes(to)) return false;
          return !(entry.typeOnly && layer.types.includes(to));
        })
        .map(({ from, typeOnly }) => `${source.path} imports ${typeOnly ? "types" : "values"} of ${from}`);
    });
    assert.deepEqual(wrong, []);
  });

  it("import only downwards between their areas", () => {
    const wrong = Object.keys(around).flatMap((layer) =>
      sourcesIn(layer).flatMap(({ path, imports }) =>
        imports
          .filter(({ from }) => /^\.\.?\//.test(from))
          .map(({ from }) => join(dirname(path), from))
          .filter((to) => to.startsWith(`${layer}/`) && heightOf(layer, to) > heightOf(layer, path))
          .map((to) => `${path} imports ${to}`),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  it("have no circle between the files and folders of any folder, not even of types", () => {
    const all = [...sources, ...["bench", "client", "console", "demo", "test"].flatMap(sourcesIn)];
    const paths = new Set(all.map(({ path }) => path));
    /** What each file or folder imports of those beside it. */
    const beside = new Map<string, Set<string>>();
    for (const { path, imports } of all)
      for (const { from } of imports.filter(({ from }) => /^\.\.?\//.test(from))) {
        const name = join(dirname(path), from).replace(/\.js$/, "");
        const to = [`${name}.ts`, `${name}.tsx`].find((other) => paths.has(other));
        // Folders of the top level have rules of their own, above.
        if (to?.split("/")[0] !== path.split("/")[0] || to === undefined) continue;
        const [own, other] = branches(path, to);
        beside.set(own, (beside.get(own) ?? new Set()).add(other));
      }
    // Those that import none of the others left are taken away until there are none: what stays is on a circle or leads
    // to one.
    for (let size = 0; size !== beside.size; ) {
      size = beside.size;
      for (const [own, others] of beside) if (![...others].some((other) => beside.has(other))) beside.delete(own);
    }
    const circles = Object.fromEntries(
      [...beside].map(([own, others]) => [own, [...others].filter((other) => beside.has(other))]),
    );
    assert.deepEqual(circles, {});
  });

  it("have the same areas, and only the folders of their own that are named here", () => {
    const foldersOf = (layer: string) =>
      readdirSync(join(root, layer), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort();
    for (const [layer, own] of Object.entries(ownFolders))
      assert.deepEqual(foldersOf(layer), [...areas, ...own].sort(), layer);
    for (const layer of ["console/desk/pages", "console/scan/pages"])
      assert.deepEqual(
        foldersOf(layer).filter((name) => !areas.includes(name)),
        [],
        layer,
      );
  });

  it("keep workflows free of zod and of Node's own modules", () => {
    const wrong = sources
      .filter((source) => source.folder === "workflows")
      .flatMap((source) =>
        source.imports
          .filter(({ from, typeOnly }) => !typeOnly && /^(zod$|zod\/|node:)/.test(from))
          .map(({ from }) => `${source.path} imports ${from}`),
      );
    assert.deepEqual(wrong, []);
  });

  it("keep nothing of a workflow in modules, which all workflows of a worker share", () => {
    const state = /^(export )?(let\b|var\b|const \w+ = (new (Weak)?(Map|Set)|\[))/m;
    const wrong = sources.filter(({ folder, text }) => folder === "workflows" && state.test(text));
    assert.deepEqual(pluck(wrong, "path"), []);
  });

  it("say a process in at most 120 lines, in functions of at most 60", () => {
    const index = readFileSync(join(root, "workflows/index.ts"), "utf8");
    const processes = [...index.matchAll(/"\.\/(.*)\.js"/g)].map(([, name]) => `workflows/${name}.ts`);
    const long = processes.filter((path) => readFileSync(join(root, path), "utf8").split("\n").length > 121);
    const functions = namesIn("workflows").flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const found = text.matchAll(/^( *)(?:export )?(?:async )?(?:function )?\w[^\n]*\{\n(?:(?!\1\}).*\n)*?\1\}/gm);
      return [...found]
        .filter(([body]) => !/^(export )?(abstract )?(class|interface|type)\b/.test(body.trim().replace("export ", "")))
        .filter(([body]) => body.split("\n").length > 60)
        .map(([body]) => `${path}: ${body.split("\n")[0]}`);
    });
    assert.deepEqual([processes.length > 5, long, functions], [true, [], []]);
  });

  it("write SQL only in activities and migrations", () => {
    const aWrite = /\b(insert\s+into|update\s+\w+(\s+(as\s+)?\w+)?\s+set|delete\s+from|truncate)\s/i;
    const wrong = sources
      .filter(({ folder, text }) => folder !== "activities" && folder !== "migrations" && aWrite.test(text))
      .map(({ path }) => path);
    assert.deepEqual(wrong, []);
  });

  it("load the SDK of OpenTelemetry in two files alone, which are loaded only where monitoring is on", () => {
    const loading = sources.filter(({ imports }) =>
      imports.some(
        ({ from, typeOnly }) => from.startsWith("@opentelemetry/") && from !== "@opentelemetry/api" && !typeOnly,
      ),
    );
    const optional = ["src/platform/monitoring/metrics-server.ts", "src/platform/tracing/trace-exporter.ts"];
    assert.deepEqual(loading.map(({ path }) => path).sort(), optional);
    for (const { path, text } of sources)
      for (const file of ["metrics-server", "trace-exporter"])
        assert.doesNotMatch(text, new RegExp(`^import (?!type)[^;]*/${file}\\.js"`, "m"), path);
  });

  it("have no line above 120 columns, in SQL and comments either", () => {
    const wrong = [...folders, "bench", "console", "demo", "test"].flatMap(namesIn).flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, i) => (line.length > 120 ? [`${path}:${i + 1}`] : [])),
    );
    assert.deepEqual(wrong, []);
  });
});
