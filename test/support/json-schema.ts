import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
formats.default(ajv);
ajv.addVocabulary(["components"]);

/**
 * A strict JSON Schema 2020-12 validator of the schema, formats included; schemas may hold a `$ref` into `components`.
 */
export function validator(schema: object, components: object = {}): ValidateFunction {
  return ajv.compile({ ...schema, components });
}
