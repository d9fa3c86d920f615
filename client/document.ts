/** What both generators read of an OpenAPI document. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

export type Content = Record<string, { schema?: Schema }> | undefined;
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** The name that follows the last slash of a reference. */
export const nameIn = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

export const parametersOf = (operation: Operation, known: Record<string, Parameter>) =>
  (operation.parameters ?? []).map((entry) => known[nameIn(entry.$ref ?? "")] ?? entry);

/** The schemas of a body's JSON, and whether it has other forms, such as files. */
export function jsonIn(content: Content) {
  const types = Object.entries(content ?? {});
  const json = types.flatMap(([type, { schema }]) => (type.includes("json") && schema ? [schema] : []));
  return { json, isEmpty: types.length === 0 };
}

/** What the statuses of success have. */
export const answersOf = (operation: Operation) =>
  Object.entries(operation.responses)
    .filter(([status]) => /^[23]/.test(status))
    .map(([, { content }]) => content);
