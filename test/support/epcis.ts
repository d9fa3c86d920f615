import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import formats from "ajv-formats";

const ajv = new Ajv({ allErrors: true, strict: false });
formats.default(ajv);
const schema: object = JSON.parse(readFileSync("test/files/epcis-2.0.schema.json", "utf8"));
export const fitsEpcis = ajv.compile<unknown>(schema);

/** Fails where a document does not fit the published schema of EPCIS 2.0, and says why not. */
export const assertFitsEpcis = (body: unknown): void => assert.ok(fitsEpcis(body), JSON.stringify(fitsEpcis.errors));
