import type { DomainError } from "../../src/platform/problem.js";
import { validationError } from "../../src/platform/problem.js";

/** Deeper than any body of the interface. */
const MAX_DEPTH = 64;
/** More than any object of the interface has; V8 stores larger ones as hash tables, which are slow to iterate. */
const MAX_KEYS = 5_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

const tooMuch = (msg: string): DomainError => validationError([{ type: "value_error", loc: [], msg }]);

/**
 * Refuses JSON with too much nesting or too many values, before it is parsed: ten megabytes of `{},{},…` would become
 * hundreds of megabytes of objects. It only counts; the parser checks the syntax.
 */
export function checkJsonLimits(json: Uint8Array, maxValues: number): void {
  const keys = new Uint32Array(MAX_DEPTH + 1);
  let depth = 0;
  let values = 1;
  for (let i = 0; i < json.length; i++) {
    switch (json[i]) {
      case QUOTE:
        for (i++; i < json.length && json[i] !== QUOTE; i++) if (json[i] === BACKSLASH) i++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (depth === MAX_DEPTH) throw tooMuch(`Nested deeper than ${MAX_DEPTH} levels`);
        keys[++depth] = 0;
        values++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth > 0) depth--;
        break;
      case COMMA:
        values++;
        break;
      case COLON:
        keys[depth] = (keys[depth] ?? 0) + 1;
        if (Number(keys[depth]) > MAX_KEYS) throw tooMuch(`More than ${MAX_KEYS} fields in one object`);
    }
    if (values > maxValues) throw tooMuch(`More than ${maxValues} values`);
  }
}
