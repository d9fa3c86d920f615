import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { columns } from "../../src/inbound/columns.js";
import { compileDocument } from "../../src/inbound/documents.js";
import { readExpression } from "../../src/inbound/expression/parse.js";
import { written } from "../../src/inbound/expression/values.js";
import { readPath } from "../../src/inbound/read-path.js";
import { mappingJsonSchema } from "../../src/inbound/schema.js";
import { validator } from "../support/json-schema.js";
import { mapping } from "../support/mappings.js";

const text = readFileSync(new URL("../../../docs/mappings.md", import.meta.url), "utf8");
const examples = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, example]) => example ?? "");

describe("docs/mappings.md", () => {
  it("shows documents that would load", () => {
    for (const document of examples("yaml").filter((example) => example.startsWith("mapping_version"))) {
      const raw = parse(document);
      const compiled = compileDocument(raw, { path: `${raw.source_system}.yaml`, sha256: "" });
      assert.ok(!Array.isArray(compiled), String(compiled));
      const accepts = validator(mappingJsonSchema);
      assert.ok(accepts(raw), JSON.stringify(accepts.errors));
    }
  });

  it("shows parts of fields that would load", () => {
    const parts = examples("yaml").filter((example) => !example.startsWith("mapping_version"));
    assert.ok(parts.length > 0);
    for (const part of parts)
      mapping("sales_orders", { fields: [{ canonical: "memo", type: "string", ...parse(part) }] });
  });

  it("shows paths that can be read", () => {
    const lines = examples("jsonpath").flatMap((example) => example.trim().split("\n"));
    assert.ok(lines.length > 3);
    for (const line of lines) readPath(line);
  });

  it("shows expressions that can be read", () => {
    const lines = examples("python")
      .flatMap((example) => example.trim().split("\n"))
      .map((line) => line.replace(/ {2,}#.*$/, ""));
    assert.ok(lines.length > 3);
    for (const line of lines) readExpression(line);
  });

  it("has recipes that give what they say", () => {
    const recipes = examples("python").flatMap((example) => [
      ...example.matchAll(/^(\S.*?) {2,}# (\{.*?\}) gives (.*)$/gm),
    ]);
    assert.equal(recipes.length, 7);
    for (const [, expression = "", payload = "", result] of recipes) {
      const value = readExpression(expression)({ source: JSON.parse(payload), spend: () => {}, skipsBlank: false });
      assert.equal(`${written(value)}`.trim(), result, expression);
    }
  });

  it("lists every column, with its width, and which ones a new record needs", () => {
    const [, section = ""] = /## Columns\n(.*?)(?=\n## |$)/s.exec(text) ?? [];
    const words = section.trim().replace(/\s+/g, " ");
    for (const [resource, its] of Object.entries(columns)) {
      const list =
        new RegExp(`- \\*\\*${resource}\\*\\*: (.*?)\\. ?(?=- \\*\\*|$)`).exec(words)?.[1] ?? assert.fail(resource);
      const listed = list.split(", ");
      const expected = Object.entries(its).map(([name, column]) => {
        const word = column.required ? `**\`${name}\`**` : `\`${name}\``;
        if (column.kind === "decimal") return `${word} (${column.precision - column.scale}.${column.scale})`;
        return column.kind === "text" && column.maxLength ? `${word} (${column.maxLength})` : word;
      });
      assert.deepEqual(listed, expected);
    }
  });
});
