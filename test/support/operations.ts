import type { Route } from "../../api/http/route.js";
import { openApi } from "../../api/openapi/document.js";
import { exampleOf, type JsonSchema } from "../../api/openapi/example.js";
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
  description: string;
  security: object[];
  parameters: { $ref?: string; name: string; in: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { description?: string; content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  tags: { name: string; description: string }[];
  components: Record<string, Record<string, JsonSchema>>;
}

/** The OpenAPI document as a client gets it. */
export const document = JSON.parse(JSON.stringify(openApi(routes))) as Document;

/** The value with all that it refers to in its place. */
export function dereferenced<T>(value: T): T;
export function dereferenced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => dereferenced(entry));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  if ($ref === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, dereferenced(entry)]));
  const [kind = "", name = ""] = $ref.split("/").slice(2);
  const target = document.components[kind]?.[name];
  if (!target) throw new Error(`${$ref} leads nowhere`);
  return { ...(dereferenced(target) as object), ...rest };
}

const paths = dereferenced(document.paths) as Document["paths"];

export const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;
/** The JSON of a request body or an answer. */
export const json = (holder?: { content?: Record<string, Media> }): Media | undefined => {
  const found = Object.entries(holder?.content ?? {}).find(([type]) =>
    /^application\/(schema\+)?json$/.test(type),
  )?.[1];
  return found && { example: exampleOf(found.schema), ...found };
};

/** Each route, with what the document says of it; references are followed. */
export const operations = routes.map((route) => {
  const operation = paths[route.path.replace(/:(\w+)/g, "{$1}")]?.[route.method];
  return { route, name: nameOf(route), operation: operation as Operation };
});

/** The examples of an operation's parameters, by name. */
export function examplesIn(operation: Operation, place: "path" | "query"): Record<string, unknown> {
  const own = operation.parameters.filter((parameter) => parameter.in === place);
  return Object.fromEntries(own.map(({ name, schema }) => [name, exampleOf(schema)]));
}

/** The route's path with the document's own examples in it. */
export function examplePath(route: Route, operation: Operation): string {
  const values = examplesIn(operation, "path");
  return route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The schema of a field of a request, or of the entries of a list: `body.lines.quantity_ordered`. */
export function fieldOf(route: string, field: string): JsonSchema | undefined {
  const operation = operations.find(({ name }) => name === route)?.operation;
  const [place, ...names] = field.split(".");
  const parameter = operation?.parameters.find(({ in: at, name }) => at === place && name === names[0]);
  const entriesOf = (schema?: JsonSchema) => schema?.items ?? schema;
  return place === "body"
    ? names.reduce((schema, name) => entriesOf(schema?.properties?.[name]), json(operation?.requestBody)?.schema)
    : entriesOf(parameter?.schema);
}
