import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import { bodyLimitOf, takesToken } from "../../api/http/route.js";
import { exampleOf, type JsonSchema } from "../../api/openapi/example.js";
import { routes } from "../../api/routes.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import type { Problem } from "../../src/platform/problem.js";
import { configFile } from "../support/compose.js";
import { validator } from "../support/json-schema.js";
import {
  dereferenced,
  document,
  examplePath,
  examplesIn,
  json,
  type Media,
  nameOf,
  operations,
} from "../support/operations.js";
import { openService } from "../support/service.js";

/** The refusals of the HTTP server, which comes before all routes. */
const bodiless = ["408", "431"];

describe("the OpenAPI document", () => {
  const properties = propertiesIn(document);

  it("is valid OpenAPI 3.1", async () => {
    const checker = new Validator();
    const { valid, errors } = await checker.validate(structuredClone(document) as never);
    assert.ok(valid, JSON.stringify(errors, null, 2));
    assert.equal(checker.version, "3.1");
  });

  it("is served", async () => {
    const service = await openService();
    const served = await service.anyone.ok("GET", "/api/openapi.json");
    assert.deepEqual(served, JSON.parse(JSON.stringify(document)));
    await service.close();
  });

  it("has every route and nothing else", () => {
    const inDocument = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    );
    assert.deepEqual(inDocument.sort(), routes.map(nameOf).sort());
  });

  it("says that a request may be named by a UUID, and that other names are ignored", () => {
    const { parameters } = document.components as {
      parameters: Record<string, { description: string; schema: JsonSchema }>;
    };
    const { description, schema } = parameters.RequestId ?? assert.fail();
    assert.equal(schema.format, undefined);
    assert.match(description, /anything else/);
  });

  it("says how large a body may be", () => {
    const said = (name: string) => operations.find((entry) => entry.name === name)?.operation.requestBody?.description;
    assert.equal(said("post /api/auth/login"), "At most 64 KB.");
    assert.equal(said("post /api/receiving/receive"), "At most 1024 KB.");
    assert.equal(said("post /api/admin/import/:entity_type"), "At most 10240 KB.");
    assert.equal(said("post /api/v1/inbound/items"), "At most `SERVICE_INBOUND_MAX_BODY_KB` KB.");
    const ship = "post /api/v1/station/orders/:so_number/ship";
    assert.equal(said(ship), "At most `SERVICE_STATION_MAX_BODY_KB` KB.");
  });

  it("lets no larger body through the proxy than the largest that a route takes", () => {
    const [, size] =
      /max_size (\d+)MiB/.exec(configFile("caddyfile", { SITE_ADDRESS: "http://127.0.0.1" })) ?? assert.fail();
    const most = routes.map(
      (route) => bodyLimitOf(route, { inboundMaxBodyKb: 4096, stationMaxBodyKb: 1024, posMaxBodyKb: 4096 }).kb,
    );
    assert.equal(Number(size) * 1024, Math.max(...most));
  });

  it("names every operation once", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual([...new Set(ids)], ids);
  });

  it("has every operation that was released, under its id and tag", () => {
    const today = operations.map(({ name, operation }) => `${operation.operationId}: ${name} (${operation.tags})`);
    const file = new URL("../../../test/system/released-operations.txt", import.meta.url);
    const released = readFileSync(file, "utf8").trim().split("\n");
    assert.deepEqual(
      released.filter((line) => !today.includes(line)),
      [],
    );
  });

  it("describes each property, in other words than its name", () => {
    const undescribed = properties.filter(({ name, schema }) => !schema.$ref && !saysMore(name, schema.description));
    assert.deepEqual([...new Set(undescribed.map(({ name, schema }) => `${name}: ${schema.description}`))], []);
  });

  it("describes a field as what it is there, where its name means something else in other records", () => {
    const described = (record: string, field: string) =>
      document.components.schemas?.[record]?.properties?.[field]?.description ?? "";
    for (const [record, field, words] of [
      ["InventorySnapshot", "rows", /in the order of their ids/],
      ["SyncSchedule", "enabled", /sync runs by itself/],
      ["ValidationError", "code", /Always this one/],
      ["DispatchError", "message", /refused/],
      ["ConnectorCredential", "key", /field of the configuration/],
      ["NewToken", "mapping_overrides", /for every push of the token/],
      ["NewToken", "endpoints", /tills/],
      ["CartConflict", "reason", /cannot be sold/],
      ["AuditLogEntry", "username", /Who did it/],
      ["WebhookDelivery", "event", /null once it is gone/],
      ["Channel", "pause_reason", /channel is paused/],
      ["Channel", "delivery_url", /shop/],
      ["PreferredBin", "priority", /1 is the first/],
      ["ListedInventoryAdjustment", "username", /adjusted_by/],
      ["Error", "code", /for programs/],
      ["ImportResult", "total", /rows/],
      ["Token", "source_system", /pushes with the token/],
      ["TriedLookup", "source_system", /whose id is looked up/],
      ["CardTender", "type", /pays/],
      ["SearchResult", "type", /kind of record/],
      ["SharedCode", "code", /both items/],
    ] as const)
      assert.match(described(record, field), words, `${record}.${field}`);
  });

  it("lists the words of every status", () => {
    const statuses = properties.filter(({ name }) => /(^|_)status$/.test(name) && name !== "http_status");
    const words = ({ $ref, ...schema }: JsonSchema) =>
      $ref ? document.components.schemas?.[$ref.split("/").at(-1) ?? ""] : schema;
    const open = statuses.filter(({ schema }) => {
      const choices = (schema.anyOf ?? [schema]).map(words);
      return !choices.some((choice) => choice?.enum || "const" in (choice ?? {}));
    });
    assert.ok(statuses.length > 20);
    assert.deepEqual(open, []);
  });

  it("names every record that stands in it more than once", () => {
    const { paths, components } = document;
    const records = Object.entries(components.schemas ?? {}).filter(([name]) => !name.endsWith("Data"));
    const uses = new Map<string, number>();
    for (const record of inlineRecords([paths, ...records.map(([, { properties }]) => properties)]))
      uses.set(record, (uses.get(record) ?? 0) + 1);
    assert.deepEqual(
      [...uses].filter(([, times]) => times > 1),
      [],
    );
  });

  it("has examples that fit their own schemas", () => {
    let checked = 0;
    for (const schema of schemasIn(document))
      for (const example of schema.examples ?? []) {
        assertFits(schema, example);
        checked++;
      }
    assert.ok(checked > 300, String(checked));
  });

  it("has an example of its own for every text", () => {
    const { parameters, schemas } = document.components;
    assert.deepEqual(textsWithoutExample({ ...document.paths, ...document.webhooks, ...parameters, ...schemas }), []);
    for (const { name, operation } of operations) {
      const bodies = [operation.requestBody, ...Object.values(operation.responses)];
      const examples = JSON.stringify(bodies.map((body) => json(body)?.example));
      // The fields of a connector's configuration have that type.
      const others = examples.replaceAll('"type":"string"', "");
      assert.doesNotMatch(others, /"(text|string|Name)"/, name);
    }
  });

  it("describes each tag, and has a 4XX wherever one is possible", () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { route, name, operation } of operations) {
      assert.ok(tags.includes(operation.tags[0] as string), name);
      const refused = Object.keys(operation.responses).some(
        (status) => status.startsWith("4") && !bodiless.includes(status),
      );
      assert.equal(refused, !route.unlimited, name);
    }
  });

  it("types every event", () => {
    assert.deepEqual(Object.keys(document.webhooks), [...eventTypes, "webhook.test"]);
  });

  it("lists every problem that there is", async () => {
    const listed = new Set(
      operations.flatMap(({ operation }) =>
        Object.values(operation.responses).flatMap((response) => Object.keys(json(response)?.examples ?? {})),
      ),
    );
    const unlisted: string[] = [];
    const folder = new URL("../../src/", import.meta.url);
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/problems?\.js$/.test(file)) continue;
      const module: Record<string, Problem> = await import(new URL(file, folder).href);
      const kinds = Object.values(module).map((value) => value.kind);
      unlisted.push(...kinds.filter((kind) => kind !== undefined && !listed.has(kind)));
    }
    // A count's process refuses it; no route can ask for it, because adjustments come only with the submission. That a
    // label is of another format is said when it is drawn for a printer. The others stand among the refused records of
    // connectors, or in what a tool tells an agent.
    assert.deepEqual(unlisted.sort(), [
      ...["agent_writes_off", "answer_too_large", "arguments_invalid"],
      "count_not_submitted",
      "differs_from_shop",
      "duplicate_sku",
      ...["not_for_agents", "order_in_another_warehouse", "tool_not_found"],
    ]);
  });

  for (const { route, name, operation } of operations) {
    describe(name, () => {
      it("says who may call it", () => {
        assert.match(operation.description, /^Permission: ./);
        const ways: Record<string, number> = { open: 0, inbound: 1, outbound: 1, dispatch: 1, partner: 1 };
        assert.equal(operation.security.length, ways[route.for.kind] ?? 2);
      });

      it("has parameters whose examples the route takes", () => {
        for (const place of ["path", "query"] as const) {
          const values = examplesIn(operation, place);
          const schema = place === "path" ? route.params : route.query;
          if (place === "path") {
            assert.deepEqual(Object.keys(values).sort(), [...route.path.matchAll(/:(\w+)/g)].map((m) => m[1]).sort());
          }
          const texts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
          schema?.parse(texts);
        }
        for (const parameter of operation.parameters) {
          if (!parameter.$ref) assertFits(parameter.schema, exampleOf(parameter.schema));
        }
      });

      it("has examples that fit their schemas, and the route's own", () => {
        const body = json(operation.requestBody);
        assert.equal(body !== undefined, route.body !== undefined);
        if (body) {
          assertFits(body.schema, body.example);
          route.body?.parse(body.example);
        }
        for (const [status, answer] of Object.entries(route.answers)) {
          const media = json(operation.responses[status]);
          if (!media) {
            assert.ok(
              answer instanceof z.ZodUndefined || route.files || route.mediaType === "text/event-stream",
              status,
            );
            continue;
          }
          assertFits(media.schema, media.example);
          answer.parse(media.example);
        }
      });

      it("lists its refusals, each with an example", () => {
        for (const { kind, status, message } of route.errors) {
          const value = json(operation.responses[status])?.examples?.[kind]?.value as
            | { error?: string; message?: string }
            | undefined;
          assert.ok([value?.error, value?.message].includes(message), kind);
        }
        for (const [status, response] of Object.entries(operation.responses)) {
          const media = json(response);
          if (Number(status) < 400 || Number(status) in route.answers || bodiless.includes(status)) continue;
          for (const { value } of Object.values(media?.examples ?? assert.fail(status))) {
            assertFits((media as Media).schema, value);
          }
        }
        const refused = (kind: string, status: number) => json(operation.responses[status])?.examples?.[kind];
        const { kind } = route.for;
        const stranger = takesToken(route) ? "invalid_token" : "unauthorized";
        assert.equal(refused(stranger, 401) !== undefined, kind !== "open");
        const [invalid, status] =
          kind === "dispatch" ? ["invalid_body", 422] : ["validation_error", kind === "inbound" ? 422 : 400];
        if (route.body) assert.ok(refused(invalid, Number(status)) && refused("unsupported_media_type", 415));
      });
    });
  }

  it("puts no route in the shadow of another", () => {
    for (const { route, name, operation } of operations) {
      const path = examplePath(route, operation);
      const first = routes.find(
        (other) => other.method === route.method && new RegExp(`^${other.path.replace(/:\w+/g, "[^/]+")}$`).test(path),
      );
      assert.equal(first && nameOf(first), name);
    }
  });
});

/** All schemas within the value that have examples. */
function schemasIn(value: unknown): JsonSchema[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray((value as JsonSchema).examples) ? [value as JsonSchema] : [];
  const inner = Object.entries(value).filter(([key, entry]) => key !== "examples" || !Array.isArray(entry));
  return [...own, ...inner.flatMap(([, entry]) => schemasIn(entry))];
}

/** Where texts are that neither have an example nor list their words, within the value. */
function textsWithoutExample(value: unknown, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { type, enum: words, format, examples, ...rest } = value as JsonSchema;
  if (examples || words || format || "const" in rest || "default" in rest) return [];
  const own = [type].flat().includes("string") ? [place] : [];
  return [...own, ...Object.entries(rest).flatMap(([key, entry]) => textsWithoutExample(entry, `${place}/${key}`))];
}

/** The properties of all schemas within the value. */
function propertiesIn(value: unknown): { name: string; schema: JsonSchema }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    if (key === "examples") return [];
    if (key !== "properties") return propertiesIn(entry);
    return Object.entries(entry as Record<string, JsonSchema>).flatMap(([name, schema]) => [
      { name, schema },
      ...propertiesIn(schema),
    ]);
  });
}

/** The schemas of objects within the value, as JSON. */
function inlineRecords(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "properties" in value && "required" in value ? [JSON.stringify(value)] : [];
  return [...own, ...Object.values(value).flatMap(inlineRecords)];
}

/** Whether the description has a word that the name hasn't: `so_line_id` is not "Id of the line". */
function saysMore(name: string, description = ""): boolean {
  const filler = /^(|the|a|an|of|id|is|it)$/;
  const known = name.toLowerCase().split(/\W|_/);
  const words = description.toLowerCase().split(/\W+/);
  return words.some((word) => !filler.test(word) && !known.includes(word) && !known.includes(word.replace(/s$/, "")));
}

function assertFits(schema: JsonSchema, value: unknown): void {
  const fits = validator(dereferenced(schema));
  assert.ok(fits(value), `${JSON.stringify(fits.errors)} in ${JSON.stringify(value)}`);
}
