import {
  answersOf,
  type Content,
  type Document,
  jsonIn,
  nameIn,
  type Operation,
  type Parameter,
  parametersOf,
  type Schema,
} from "./document.js";

/** The types of an OpenAPI document as TypeScript: its schemas, and of each route what is sent and answered. */

const primitives: Record<string, string> = {
  integer: "number",
  number: "number",
  string: "string",
  boolean: "boolean",
  null: "null",
};

const comment = (text: string | undefined) =>
  text ? `/** ${text.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n` : "";
const union = (types: string[]) => [...new Set(types)].join(" | ");
const inParentheses = (type: string) => (/ [|&] /.test(type) ? `(${type})` : type);

function typeOf(schema: Schema): string {
  if (schema.$ref) return nameIn(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return union(either.map(typeOf));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === "array") return `${inParentheses(schema.items ? typeOf(schema.items) : "unknown")}[]`;
  if (schema.type === "object" || schema.properties) return objectOf(schema);
  return primitives[schema.type ?? ""] ?? "unknown";
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties ?? {}).map(
    ([name, schema]) =>
      `${comment(schema.description)}${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};`,
  );
  if (fields.length > 0) return `{\n${fields.join("\n")}\n}`;
  if (additionalProperties === false) return "Record<string, never>";
  const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
  return `Record<string, ${values}>`;
}

/** What a body holds: JSON by its schema where there is some, other forms, such as files, as text. */
function contentOf(content: Content): string {
  const { json, isEmpty } = jsonIn(content);
  if (json.length > 0) return union(json.map(typeOf));
  return isEmpty ? "undefined" : "string";
}

function parametersIn(place: string, parameters: Parameter[]): string {
  const fields = parameters.filter((parameter) => parameter.in === place);
  if (fields.length === 0) return "never";
  const named = fields.map(({ name, schema, description }) => [name, { ...schema, description }]);
  const required = fields.filter(({ required }) => required).map(({ name }) => name);
  return objectOf({ properties: Object.fromEntries(named), required });
}

function routeOf(operation: Operation, known: Record<string, Parameter>): string {
  const parameters = parametersOf(operation, known);
  const body = operation.requestBody;
  return `{
    path: ${parametersIn("path", parameters)};
    query: ${parametersIn("query", parameters)};
    body: ${body ? contentOf(body.content) : "never"};
    answer: ${union(answersOf(operation).map(contentOf))};
  }`;
}

export function routeTypes({ paths, components }: Document): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};`,
  );
  const routes = Object.entries(paths).map(([path, operations]) => {
    const methods = Object.entries(operations).map(
      ([method, operation]) => `${comment(operation.summary)}${method}: ${routeOf(operation, components.parameters)};`,
    );
    return `${JSON.stringify(path)}: {\n${methods.join("\n")}\n};`;
  });
  return [
    "/** Made from the OpenAPI document by the build. */",
    ...schemas,
    `export interface Routes {\n${routes.join("\n")}\n}`,
    "",
  ].join("\n");
}
