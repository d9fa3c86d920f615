import { z } from "zod";
import type { DispatchSlug } from "../../src/auth/tokens/scope.js";
import { version } from "../../src/platform/config/config.js";
import { fileSchemas } from "../http/file-answer.js";
import { takesKey } from "../http/idempotency.js";
import { listOf } from "../http/lists.js";
import { bodyLimitOf, type PartOfPage, type Permission, type Route, takesToken } from "../http/route.js";
import { components, ref, refusalBodies } from "./components.js";
import { fieldSchemas } from "./field-schemas.js";
import { Refusals } from "./refusals.js";
import { forReading, SchemaComponents } from "./schemas.js";
import { SharedParameters } from "./shared-parameters.js";
import { type NamedRoute, type Tag, tags } from "./tags.js";
import { webhookHeaders, webhooks } from "./webhooks.js";

/** Collects the components while the operations are made. */
interface Parts {
  schemas: SchemaComponents;
  refusals: Refusals;
  shared: SharedParameters;
}

type Operation = ReturnType<typeof operation>;

/** The OpenAPI 3.1 document of the routes: everything in it comes from their declarations. */
export function openApi(routes: NamedRoute[]) {
  const parts = { schemas: new SchemaComponents(), refusals: new Refusals(), shared: new SharedParameters() };
  for (const body of refusalBodies) parts.schemas.use(body, "output");
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of inOrder(routes)) {
    const path = pathOf(route);
    paths[path] = { ...paths[path], [route.method]: operation(route, parts) };
  }
  parts.refusals.moveRepeatedToComponents(Object.values(paths).flatMap((operations) => Object.values(operations)));
  const unfinished = { paths, webhooks: webhooks(parts.schemas), parameters: parts.shared.used };
  const {
    document: { parameters, ...document },
    schemas,
  } = fieldSchemas(parts.schemas.finish(unfinished));
  const { examples, responses } = parts.refusals;
  return {
    openapi: "3.1.1" as const,
    info: {
      title: "Warehouse Execution Service",
      version,
      description: "Runs a fulfilment warehouse: receiving, put-away, wave picking, packing and shipping.",
      contact: { name: "Warehouse Execution Service" },
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The server that this document comes from." }],
    tags: tagNames.map((name) => ({ name, description: tags[name] })),
    ...document,
    components: {
      ...components,
      schemas,
      responses: { ...components.responses, ...responses },
      examples,
      parameters: { ...components.parameters, ...webhookHeaders, ...parameters },
    },
  };
}

/** In the order in which Swagger UI and generators list them: by tag, in the order of the work. */
const inOrder = (routes: NamedRoute[]) => routes.toSorted((a, b) => tagNames.indexOf(a.tag) - tagNames.indexOf(b.tag));
const tagNames = Object.keys(tags) as Tag[];

const pathOf = ({ path }: Route) => path.replace(/:(\w+)/g, "{$1}");

function operation(route: NamedRoute, parts: Parts) {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `Permission: ${inWords(route.for)}.${stepUpInWords(route)}`,
    security: credentials(route),
    parameters: [
      ...parameters("path", route.params, parts),
      ...parameters("query", route.query, parts),
      ref("parameters", "RequestId"),
      ...(route.for.kind === "open" || takesToken(route) ? [] : [ref("parameters", "ExpectedUser")]),
      ...(takesKey(route) ? [ref("parameters", "IdempotencyKey")] : []),
    ],
    ...(route.body && {
      requestBody: {
        description: `At most ${largestBody(route)} KB.`,
        required: true,
        content: json(route.body, "input", parts),
      },
    }),
    responses: {
      ...answers(route, parts),
      ...parts.refusals.of(route),
      // Refusals of the HTTP server itself, before the route is known.
      408: ref("responses", "RequestTimeout"),
      431: ref("responses", "HeadersTooLarge"),
    } as Record<string, object>,
  };
}

/** The limit of bodies from other systems is set by each installation. */
const configuredLimit: Partial<Record<Permission["kind"] | DispatchSlug, string>> = {
  inbound: "`SERVICE_INBOUND_MAX_BODY_KB`",
  "station.dispatch": "`SERVICE_STATION_MAX_BODY_KB`",
  "pos.dispatch": "`SERVICE_POS_MAX_BODY_KB`",
};
const NO_BODY_LIMITS = { inboundMaxBodyKb: 0, stationMaxBodyKb: 0, posMaxBodyKb: 0 };
const largestBody = ({ for: permission, bodyLimit }: Route) =>
  configuredLimit[permission.kind === "dispatch" ? permission.slug : permission.kind] ??
  bodyLimitOf({ for: permission, ...(bodyLimit && { bodyLimit }) }, NO_BODY_LIMITS).kb;

/** The ways to authenticate, as the components name them. */
function credentials(route: Route): object[] {
  if (route.for.kind === "open") return [];
  if (route.for.kind === "partner") return [{ partner: [] }];
  if (takesToken(route)) return [{ token: [] }];
  const cookie = route.method === "get" ? { cookie: [] } : { cookie: [], csrf: [] };
  return [{ bearer: [] }, cookie];
}

/** What is dangerous, where the setting `step_up` is on. */
function stepUpInWords({ stepUp }: Route): string {
  if (!stepUp) return "";
  const which = stepUp === true ? "It is" : "With some bodies it is";
  return ` ${which} dangerous: where \`step_up\` is on, the session must have proved a moment ago whose it is.`;
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
      return `ADMIN, or a user who was granted the page \`${permission.page}\`${partInWords(permission.orFor)}`;
    case "admin":
      return "ADMIN only";
    case "inbound":
      return `an integration token with \`${permission.resource}\` among its \`inbound_resources\``;
    case "outbound":
    case "dispatch":
      return `an integration token with \`${permission.slug}\` among its \`endpoints\``;
    case "partner":
      return "the session of a partner's link, for what its connector owns";
  }
}

function partInWords(part: PartOfPage | undefined): string {
  if (!part) return "";
  const { name, values, page } = part;
  return ` (for the \`${name}\` ${values.join(", ")} also ${page ? `\`${page}\`` : "any signed-in user"})`;
}

function json(schema: z.ZodType, io: "input" | "output", { schemas }: Parts, mediaType = "application/json") {
  const jsonSchema = schemas.use(schema, io);
  return { [mediaType]: { schema: io === "output" ? forReading(jsonSchema) : jsonSchema } };
}

const files = (mediaTypes: readonly string[]) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: fileSchemas[mediaType] }]));

function parameters(place: "path" | "query", schema: z.ZodType | undefined, { schemas, shared }: Parts) {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.use(schema, "input");
  return Object.entries(properties).map(([name, { description, ...rest }]) =>
    shared.use({
      name,
      in: place,
      required: required.includes(name),
      ...(description && { description }),
      schema: rest,
    }),
  );
}

function answers(route: Route, parts: Parts) {
  const headers = {
    "X-Request-ID": ref("headers", "RequestId"),
    ...((takesKey(route) || route.repeatsAreFree) && { "X-Idempotent-Replay": ref("headers", "IdempotentReplay") }),
  };
  const entries = Object.entries(route.answers).map(([status, schema]) => [
    status,
    {
      description: successes[status] ?? "Done.",
      headers,
      ...(!(schema instanceof z.ZodUndefined) && {
        content: route.files
          ? files(route.files)
          : {
              ...json(schema, "output", parts, route.mediaType),
              ...(listOf(route) && { "text/csv": { schema: wholeListAsCsv } }),
            },
      }),
    },
  ]);
  return Object.fromEntries(entries);
}

const wholeListAsCsv = {
  type: "string",
  description:
    "To callers who prefer `text/csv`: all records of the list, not only a page. The first line names their fields. " +
    "`text/csv;dialect=excel-de` or `excel-en` is the same as Excel of that language opens it.",
  examples: ["name,is_active\r\nA,true\r\n"],
};

const successes: Record<string, string> = {
  200: "Done.",
  201: "Made.",
  202: "Begun; it goes on by itself.",
  204: "Done; there is nothing to say.",
  303: "Goes on at the address in `Location`.",
  409: "Not as it is.",
};
