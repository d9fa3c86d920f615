import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
formats.default(ajv);

const compiled = new Map<string, ValidateFunction>();

/**
 * A strict JSON Schema 2020-12 validator of a schema in which all references are followed, formats included. Compiling
 * costs milliseconds, and many answers have the same schema, so each is compiled once.
 */
export function validator(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const check = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, check);
  return check;
}
