import { z } from "zod";
import { version } from "../src/version.js";
import { exampleOf, type JsonSchema } from "./example.js";
import { takesKey } from "./idempotency.js";
import { components, ref } from "./openapi-components.js";
import { refusals } from "./openapi-refusals.js";
import { type Permission, type Route, takesToken } from "./route.js";

/** The OpenAPI 3.1 document of the routes: everything in it comes from their declarations. */
export function openApi(routes: Route[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: "3.1.1" as const,
    info: {
      title: "Warehouse Execution Service",
      version,
      description:
        "Runs a fulfilment warehouse: receiving, put-away, wave picking, packing and shipping.",
    },
    servers: [{ url: "/" }],
    paths,
    components,
  };
}

function operation(route: Route) {
  return {
    operationId: operationId(route),
    tags: [tagOf(route.path)],
    summary: route.summary,
    description: `Permission: ${inWords(route.for)}.`,
    "x-permission": inWords(route.for),
    security: credentials(route),
    parameters: [
      ...parameters("path", route.params),
      ...parameters("query", route.query),
      ref("parameters", "RequestId"),
      ...(takesKey(route) ? [ref("parameters", "IdempotencyKey")] : []),
    ],
    ...(route.body && {
      requestBody: { required: true, content: json(route.body, "input") },
    }),
    responses: { ...answers(route), ...refusals(route) },
  };
}

/** The ways to show who asks, as the components name them. */
function credentials(route: Route): object[] {
  if (route.for.kind === "open") return [];
  if (takesToken(route)) return [{ token: [] }];
  const cookie =
    route.method === "get" ? { cookie: [] } : { cookie: [], csrf: [] };
  return [{ bearer: [] }, cookie];
}

/** `get /api/receiving/po/:barcode` as `getReceivingPoByBarcode`. */
function operationId({ method, path }: Route): string {
  const words = path
    .replace("/api/", "")
    .replaceAll(":", "by-")
    .split(/[^a-z0-9]+/i);
  return (
    method +
    words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
  );
}

/** The surface: `receiving`, `admin items`, `v1 inbound`; what stands alone, such as /api/health, is the service's own. */
function tagOf(path: string): string {
  const [first = "", second] = path.replace("/api/", "").split("/");
  if (second === undefined) return "service";
  return first === "admin" || first === "v1" ? `${first} ${second}` : first;
}

function inWords(permission: Permission): string {
  switch (permission.kind) {
    case "open":
      return "anyone, without a credential";
    case "signedIn":
      return "any user who is signed in";
    case "floor":
      return `any user who is signed in, within the user's warehouses (scanner function: ${permission.function})`;
    case "page":
      return `ADMIN, or a user who was granted the page \`${permission.page}\``;
    case "admin":
      return "ADMIN only";
    case "inbound":
      return `an integration token with \`${permission.resource}\` among its \`inbound_resources\``;
    case "outbound":
      return `an integration token with \`${permission.slug}\` among its \`endpoints\``;
  }
}

/** The JSON Schema (2020-12) of a zod schema, without what only says that a number is a number. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: s }) => {
      // Our examples are what goes over the wire; zod drops them where the schema turns the value into another.
      Object.assign(s, z.globalRegistry.get(zodSchema));
      if (s.format === "date" || s.format === "date-time") delete s.pattern;
      if (s.minimum === Number.MIN_SAFE_INTEGER) delete s.minimum;
      if (s.maximum === Number.MAX_SAFE_INTEGER) delete s.maximum;
    },
  });
  return rest as JsonSchema;
}

function json(
  schema: z.ZodType,
  io: "input" | "output",
  mediaType = "application/json",
) {
  const jsonSchema = schemaOf(schema, io);
  return {
    [mediaType]: { schema: jsonSchema, example: exampleOf(jsonSchema) },
  };
}

function parameters(place: "path" | "query", schema: z.ZodType | undefined) {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

function answers(route: Route) {
  const headers = {
    "X-Request-ID": ref("headers", "RequestId"),
    ...(takesKey(route) && {
      "X-Idempotent-Replay": ref("headers", "IdempotentReplay"),
    }),
  };
  const entries = Object.entries(route.answers).map(([status, schema]) => [
    status,
    {
      description: route.summary,
      headers,
      ...(status !== "204" && {
        content: json(schema, "output", route.mediaType),
      }),
    },
  ]);
  return Object.fromEntries(entries);
}
