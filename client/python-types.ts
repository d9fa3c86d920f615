import { type Document, nameIn, type Schema } from "./document.js";

/** The types of an OpenAPI document as Python: a `TypedDict` for each object, under a name of its own. */

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
const isName = (text: string) => /^[A-Za-z_]\w*$/.test(text) && !keywords.has(text);
/** The wire's name as that of a parameter. */
export const nameOf = (text: string) => {
  const word = text.replace(/\W/g, "_");
  return isName(word) && !["self", "body"].includes(word) ? word : `${word}_`;
};
/** `receiveItems` and `so_id` as a part of a class's name: `ReceiveItems`, `SoId`. */
export const pascal = (text: string) =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, sign: string) => sign.toUpperCase());

const primitives: Record<string, string> = {
  integer: "int",
  number: "float",
  string: "str",
  boolean: "bool",
  null: "None",
};
/** JSON's texts and numbers are Python's too. */
const literal = (value: unknown) =>
  value === null ? "None" : typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
export const union = (types: string[]) => {
  const different = [...new Set(types)];
  return different.length > 1 ? `Union[${different.join(", ")}]` : (different[0] ?? "Any");
};
const oneLine = (text: string) => text.replace(/\s+/g, " ");
/** A text that stands between three quotes. */
export const docstring = (text: string) =>
  `"""${oneLine(text).replaceAll("\\", "\\\\").replaceAll('"""', "'''").replace(/"$/, '" ')}"""`;

export class PythonTypes {
  readonly #definitions: string[] = [];
  readonly #taken = new Set<string>();

  constructor({ components }: Document) {
    for (const name of Object.keys(components.schemas)) this.#taken.add(name);
    for (const [name, schema] of Object.entries(components.schemas)) {
      if (isObject(schema)) this.#define(name, schema);
      else this.#definitions.push(`${name}: TypeAlias = ${JSON.stringify(this.typeOf(schema, name))}`);
    }
  }

  /**
   * The type as an annotation.
   * @param name For the class, where it is an object without a name.
   */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref) return nameIn(schema.$ref);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const either = schema.anyOf ?? schema.oneOf;
    if (either) return union(either.map((one) => this.typeOf(one, name)));
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.typeOf({ ...schema, type }, name)));
    if (schema.type === "array") return `List[${schema.items ? this.typeOf(schema.items, `${name}Entry`) : "Any"}]`;
    if (isObject(schema)) return this.#define(this.#free(name), schema);
    if (schema.type === "object") {
      const { additionalProperties: values } = schema;
      return `Dict[str, ${typeof values === "object" ? this.typeOf(values, `${name}Value`) : "Any"}]`;
    }
    return primitives[schema.type ?? ""] ?? "Any";
  }

  #free(name: string): string {
    let free = name;
    for (let i = 2; this.#taken.has(free); i++) free = `${name}${i}`;
    this.#taken.add(free);
    return free;
  }

  #define(name: string, { properties = {}, required = [], description }: Schema): string {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.typeOf(schema, name + pascal(field));
      const about = schema.description ? `    # ${oneLine(schema.description)}\n` : "";
      return { field, about, type: required.includes(field) ? type : `NotRequired[${type}]` };
    });
    const head = description ? `    ${docstring(description)}\n\n` : "";
    const lines = (one: (field: string, type: string) => string) =>
      fields.map(({ field, about, type }) => `${about}    ${one(field, type)}`).join("\n");
    const quoted = JSON.stringify;
    this.#definitions.push(
      fields.every(({ field }) => isName(field))
        ? `class ${name}(TypedDict):\n${head}${lines((field, type) => `${field}: ${type}`)}`
        : `${name} = TypedDict("${name}", {\n${lines((field, type) => `${quoted(field)}: ${quoted(type)},`)}\n})`,
    );
    return name;
  }

  /** The module with all types that were asked for. */
  text(): string {
    return [
      '"""The records, requests and answers. Made from the OpenAPI document by the build."""',
      "",
      "from __future__ import annotations",
      "",
      "from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union",
      "",
      "if TYPE_CHECKING:",
      "    from typing_extensions import NotRequired, TypeAlias",
      "",
      "",
      this.#definitions.join("\n\n\n"),
      "",
    ].join("\n");
  }
}

const isObject = ({ properties }: Schema) => Object.keys(properties ?? {}).length > 0;
