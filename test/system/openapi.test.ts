import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { bodyLimitOf, takesToken } from "../../api/http/route.js";
import { exampleOf, type JsonSchema } from "../../api/openapi/example.js";
import { routes } from "../../api/routes.js";
import { eventTypes } from "../../src/outbound/events/catalog.js";
import type { Problem } from "../../src/problem.js";
import { configFile } from "../support/compose.js";
import { openHouse } from "../support/house.js";
import { validator } from "../support/json-schema.js";
import { document, examplePath, examplesIn, json, type Media, nameOf, operations } from "../support/operations.js";

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const checker = new Validator();
    const { valid, errors } = await checker.validate(structuredClone(document) as never);
    assert.ok(valid, JSON.stringify(errors, null, 2));
    assert.equal(checker.version, "3.1");
  });

  it("is served", async () => {
    const house = await openHouse();
    const served = await house.anyone.ok("GET", "/api/openapi.json");
    assert.deepEqual(served, JSON.parse(JSON.stringify(document)));
    await house.close();
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
  });

  it("lets no larger body through the proxy than the largest that a route takes", () => {
    const [, size] = /max_size (\d+)MiB/.exec(configFile("caddyfile")) ?? assert.fail();
    const most = routes.map((route) => bodyLimitOf(route, 4096).kb);
    assert.equal(Number(size) * 1024, Math.max(...most));
  });

  it("names every operation once", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual([...new Set(ids)], ids);
  });

  it("describes nine of ten properties at least, each tag, and has a 4XX wherever one is possible", () => {
    const properties = propertiesIn(document);
    const described = properties.filter((property) => property.description ?? property.$ref);
    assert.ok(described.length >= 0.9 * properties.length, `${described.length} of ${properties.length}`);
    const tags = document.tags.map(({ name }) => name);
    for (const { route, name, operation } of operations) {
      assert.ok(tags.includes(operation.tags[0] as string), name);
      const refused = Object.keys(operation.responses).some((status) => status.startsWith("4"));
      assert.equal(refused, !route.unlimited, name);
    }
  });

  it("has schemas whose examples fit them", () => {
    for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
      for (const example of schema.examples ?? []) assertFits({ $ref: `#/components/schemas/${name}` }, example);
    }
  });

  it("types every event", () => {
    assert.deepEqual(Object.keys(document.webhooks), eventTypes);
  });

  it("lists every problem that there is", async () => {
    const listed = new Set(
      operations.flatMap(({ operation }) =>
        Object.values(operation.responses).flatMap((response) => Object.keys(json(response)?.examples ?? {})),
      ),
    );
    const unlisted: string[] = [];
    const folder = new URL("../../src/", import.meta.url);
    for (const file of readdirSync(folder, {
      recursive: true,
      encoding: "utf8",
    })) {
      if (!/problems?\.js$/.test(file)) continue;
      const module: Record<string, Problem> = await import(new URL(file, folder).href);
      const kinds = Object.values(module).map((value) => value.kind);
      unlisted.push(...kinds.filter((kind) => kind !== undefined && !listed.has(kind)));
    }
    // A count's process refuses it; no route can ask for it, because adjustments come only with the submission.
    assert.deepEqual(unlisted, ["count_not_submitted"]);
  });

  for (const { route, name, operation } of operations) {
    describe(name, () => {
      it("says who may call it", () => {
        assert.ok(operation["x-permission"]);
        const ways: Record<string, number> = {
          open: 0,
          inbound: 1,
          outbound: 1,
        };
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
            assert.equal(status, "204");
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
          if (Number(status) < 400) continue;
          for (const { value } of Object.values(media?.examples ?? assert.fail(status))) {
            assertFits((media as Media).schema, value);
          }
        }
        const refused = (kind: string, status: number) => json(operation.responses[status])?.examples?.[kind];
        const { kind } = route.for;
        const stranger = takesToken(route) ? "invalid_token" : "unauthorized";
        assert.equal(refused(stranger, 401) !== undefined, kind !== "open");
        if (route.body)
          assert.ok(
            refused("validation_error", kind === "inbound" ? 422 : 400) && refused("unsupported_media_type", 415),
          );
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

/** The schemas of all properties within the value. */
function propertiesIn(value: unknown): JsonSchema[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    if (key === "examples" || key === "example") return [];
    if (key !== "properties") return propertiesIn(entry);
    return Object.values(entry as Record<string, JsonSchema>).flatMap((property) => [
      property,
      ...propertiesIn(property),
    ]);
  });
}

function assertFits(schema: JsonSchema, value: unknown): void {
  const fits = validator(schema, document.components);
  assert.ok(fits(value), `${JSON.stringify(fits.errors)} in ${JSON.stringify(value)}`);
}
