import { exampleOf, type JsonSchema } from "../../api/example.js";
import { openApi } from "../../api/openapi.js";
import type { Route } from "../../api/route.js";
import { routes } from "../../api/routes.js";

export interface Media {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  "x-permission": string;
  security: object[];
  parameters: { $ref?: string; name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

/** The OpenAPI document as a client gets it. */
export const document = JSON.parse(JSON.stringify(openApi(routes))) as {
  paths: Record<string, Record<string, Operation>>;
  components: object;
};

export const nameOf = ({ method, path }: Pick<Route, "method" | "path">) =>
  `${method} ${path}`;
/** The JSON of a request body or an answer. */
export const json = (holder?: { content?: Record<string, Media> }) =>
  Object.entries(holder?.content ?? {}).find(([type]) =>
    /^application\/(schema\+)?json$/.test(type),
  )?.[1];

/** Each route, with what the document says of it. */
export const operations = routes.map((route) => {
  const operation =
    document.paths[route.path.replace(/:(\w+)/g, "{$1}")]?.[route.method];
  return { route, name: nameOf(route), operation: operation as Operation };
});

/** The examples of an operation's parameters, by name. */
export function examplesIn(
  operation: Operation,
  place: "path" | "query",
): Record<string, unknown> {
  const own = operation.parameters.filter(
    (parameter) => parameter.in === place,
  );
  return Object.fromEntries(
    own.map(({ name, schema }) => [name, exampleOf(schema)]),
  );
}

/** The route's path with the document's own examples in it. */
export function examplePath(route: Route, operation: Operation): string {
  const values = examplesIn(operation, "path");
  return route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
}
