import assert from "node:assert/strict";
import specs from "@asyncapi/specs";
import { Ajv } from "ajv";
import { asyncApi } from "../../api/openapi/asyncapi.js";
import type { JsonSchema } from "../../api/openapi/example.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import { validator } from "../support/json-schema.js";
import { testService } from "../support/service.js";

const document = JSON.parse(JSON.stringify(asyncApi()));

/** The value with all that it refers to in its place. */
function dereferenced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dereferenced);
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  if ($ref === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, dereferenced(entry)]));
  const target = $ref
    .split("/")
    .slice(1)
    .reduce((at: Record<string, unknown> | undefined, name) => at?.[name] as Record<string, unknown>, document);
  return { ...(dereferenced(target ?? assert.fail(`${$ref} leads nowhere`)) as object), ...rest };
}

interface Message {
  title: string;
  headers?: JsonSchema;
  payload: JsonSchema;
  examples: { headers?: unknown; payload: unknown }[];
}

describe("the AsyncAPI document", () => {
  const service = testService();

  it("is valid AsyncAPI 3.0, of which all references lead somewhere", () => {
    const schema = (specs.schemasWithoutId as Record<string, object>)["3.0.0"] ?? assert.fail();
    const check = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    assert.ok(check(document), JSON.stringify(check.errors, null, 2));
    dereferenced(document);
    const broken = JSON.parse(JSON.stringify(document));
    broken.operations.pollEvents.action = "shout";
    assert.equal(check(broken), false);
  });

  it("is served to anyone", async () => {
    assert.deepEqual(await service.anyone.ok("GET", "/api/asyncapi.json"), document);
  });

  it("has every event type, with an example that its schemas take", () => {
    const messages = Object.values(dereferenced(document.components.messages) as Record<string, Message>);
    const titles = messages.map(({ title }) => title);
    assert.deepEqual(
      eventTypes.filter((type) => !titles.includes(type)),
      [],
    );
    for (const { title, headers, payload, examples } of messages)
      for (const example of examples)
        for (const [schema, value] of [
          [payload, example.payload],
          [headers ?? {}, example.headers],
        ] as const) {
          const check = validator(schema);
          assert.ok(check(value), `${title}: ${JSON.stringify(check.errors)}`);
        }
  });
});
