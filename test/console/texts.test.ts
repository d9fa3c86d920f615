import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { routes } from "../../api/routes.js";
import { carriers } from "../../src/carriers/registry.js";
import { connectors, loadConnectors } from "../../src/connectors/registry.js";
import { WhyPick } from "../../src/picking/why-shapes.js";
import { events } from "../../src/platform/events/catalog.js";
import { NextStep } from "../../src/sales-orders/next-step-shapes.js";
import { StoryEntry } from "../../src/sales-orders/story.js";

const root = fileURLToPath(new URL("../../../console/", import.meta.url));
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));

interface Entry {
  file: string;
  key: string;
  texts: string[];
}

/** `key: ["in English", "auf Deutsch"]`, on one line or several. */
const anEntry = /^ {2}"?([\w-]+)"?: \[\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?,?\s*\]/gm;
const entries: Entry[] = sources
  .filter(({ name }) => name.startsWith("texts/"))
  .flatMap(({ name, text }) =>
    [...text.matchAll(anEntry)].map(([, key = "", ...texts]) => ({
      file: basename(name, ".ts"),
      key,
      texts: texts.filter(Boolean).map((one) => JSON.parse(one)),
    })),
  );

/** Found by what the service says, such as a status, rather than by a word in the code. */
const byName = [
  "statuses",
  "box-reasons",
  "problems",
  "parcel-problems",
  "partner-problems",
  "missing",
  "what-is-missing",
  "may-not",
  "actions",
  "scopes",
  "entities",
  "fields",
  "sales-order-fields",
  "rights",
  "empty-lists",
  "system",
  "reasons",
  "types",
  "story",
  "next-step",
  "serial-steps",
  "sandbox-scenarios",
  "why",
];

/** The actions that a file writes into the audit log. */
const actionsIn = (text: string) =>
  [
    ...text.matchAll(/\baction(?:: | = )(?:[^",;\n]*\?\s*)?"(\w+)"(?:\s*:\s*"(\w+)")?/g),
    ...text.matchAll(/\baudit\w*\(\s*(?:\w+,\s*)*"([A-Z_]+)"/g),
  ].flatMap(([, ...actions]) => actions.filter(Boolean));
const activities = fileURLToPath(new URL("../../../activities/", import.meta.url));
const written = readdirSync(activities, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(activities, name), "utf8"));
const keysOf = (file: string) => entries.filter((entry) => entry.file === file).map(({ key }) => key);

describe("the texts of the console", () => {
  it("are there in both languages, with the same values in them", () => {
    const valuesIn = (text = "") => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();
    const wrong = entries.filter(({ texts: [english, german] }) => {
      return !english || !german || valuesIn(english).join() !== valuesIn(german).join();
    });
    assert.deepEqual(wrong, []);
    assert.ok(entries.length > 50);
  });

  it("have a word for one where they count", () => {
    const english = "pcs|units|orders|days|picks(?! this)|waves|rows|bins|counts|lines|events";
    const many = new RegExp(`\\{(\\w+)\\} (?:${english}|Tage|Aufträge|Zeilen|Plätze|Picks|Pickwellen)\\b`, "g");
    // What there are always several of: bounds, and what is only said of many.
    const several = ["most", "total", "until", "preview", "tooMany", "too_many"];
    const wrong = entries.filter(({ key, texts }) =>
      texts.some((text) =>
        [...text.matchAll(many)].some(([, name]) => ![key, name].some((it) => several.includes(it as string))),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  it("are all used", () => {
    const users = (file: string) =>
      sources.filter(({ text }) => file === "shared" || text.includes(`texts/${file}.js"`)).map(({ text }) => text);
    const unused = entries
      .filter(({ file }) => !byName.includes(file))
      .filter(({ file, key }) => !users(file).some((text) => text.includes(`"${key}"`)))
      .map(({ file, key }) => `${file}.${key}`);
    assert.deepEqual(unused, []);
  });

  it("say each refusal that people can meet", () => {
    const said = entries
      .filter(({ file }) => ["problems", "parcel-problems", "partner-problems", "missing", "may-not"].includes(file))
      .map(({ key }) => key);
    const met = routes
      .filter((route) => !route.signedBody && !["inbound", "outbound", "dispatch"].includes(route.for.kind))
      .flatMap(({ errors = [] }) => errors.map(({ kind }) => kind));
    assert.deepEqual(
      [...new Set(met)].filter((kind) => !said.includes(kind) && kind !== "validation_error"),
      [],
    );
  });

  it("name each action of the audit log", () => {
    const actions = new Set(written.flatMap(actionsIn));
    assert.ok(actions.size > 80);
    const named = keysOf("actions");
    assert.deepEqual(
      [...actions].filter((action) => !named.includes(action)),
      [],
    );
  });

  it("tell each action and each event of an order in a sentence", () => {
    const ofOrders = written.filter((text) => /entity: "SO"|\bauditChange\(/.test(text));
    const told = [...new Set(ofOrders.flatMap(actionsIn)), "UPDATE"];
    assert.ok(told.length > 25);
    const types = Object.entries(events)
      .filter(([, { aggregate }]) => aggregate === "sales_order")
      .map(([type]) => type.replace(".", "_"));
    const said = keysOf("story");
    assert.deepEqual(
      [...told, ...types, ...StoryEntry.shape.kind.options].filter((name) => !said.includes(name) && name !== "audit"),
      [],
    );
  });

  it("tell each next step of an order", () => {
    const said = keysOf("next-step");
    assert.deepEqual(
      NextStep.shape.code.options.filter((code) => !said.includes(code)),
      [],
    );
  });

  it("say each reason why units are not picked", () => {
    const said = keysOf("why");
    assert.deepEqual(
      WhyPick.shape.others.element.shape.reason.options.filter((reason) => !said.includes(reason)),
      [],
    );
  });

  it("are there in German for what connectors and carriers of the service have to be told", async () => {
    await loadConnectors();
    const said = [...connectors(), ...carriers]
      .flatMap(({ config }) => Object.values(config.shape))
      .flatMap((field) => [field.meta()?.label, field.meta()?.description])
      .filter((text) => typeof text === "string");
    assert.ok(said.length > 40);
    const texts = sources.find(({ name }) => name === "texts/config-fields.ts")?.text ?? "";
    assert.deepEqual(
      said.filter((text) => !texts.includes(JSON.stringify(text))),
      [],
    );
  });

  it("are the only ones: no page has a text of its own", () => {
    const own = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/\b(?:label|title|aria-label|placeholder)="([^"]+)"/g)].map(([found]) => `${name}: ${found}`),
    );
    assert.deepEqual(own, []);
  });
});
