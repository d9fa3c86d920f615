import type { z } from "zod";
import { DomainError } from "../src/problem.js";

/** One entry of a 400 validation body (spec 7.2); the types are those that clients of this interface know. */
export interface Detail {
  type: string;
  loc: (string | number)[];
  msg: string;
}

/** A 400 of this kind; on inbound routes a 422 (api/inbound-door.ts). */
export function validationError(details: Detail[]): DomainError {
  return new DomainError("validation_error", 400, {
    error: "validation_error",
    details,
  });
}

/** The value as the schema shapes it, or a 400 that names every wrong field. */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw validationError(result.error.issues.flatMap(detailsOf));
}

function detailsOf(issue: z.core.$ZodIssue): Detail[] {
  const loc = issue.path.map((p) => (typeof p === "number" ? p : String(p)));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      type: "extra_forbidden",
      loc: [...loc, key],
      msg: `Unknown field: ${key}`,
    }));
  }
  if (issue.code === "invalid_type" && issue.input === undefined) {
    return [{ type: "missing", loc, msg: "Field required" }];
  }
  return [{ type: typeOf(issue), loc, msg: issue.message }];
}

const wrongType: Record<string, string> = {
  string: "string_type",
  number: "int_type",
  int: "int_type",
  boolean: "bool_type",
  array: "list_type",
  object: "dict_type",
  record: "dict_type",
};

function typeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return wrongType[issue.expected] ?? "value_error";
    case "too_small":
      if (issue.origin === "string") return "string_too_short";
      if (issue.origin === "array") return "too_short";
      return issue.inclusive ? "greater_than_equal" : "greater_than";
    case "too_big":
      if (issue.origin === "string") return "string_too_long";
      if (issue.origin === "array") return "too_long";
      return issue.inclusive ? "less_than_equal" : "less_than";
    case "invalid_value":
      return "enum";
    case "invalid_format":
      return "string_pattern_mismatch";
    default:
      return "value_error";
  }
}

/** Postgres text cannot hold NUL, its JSON no half of a surrogate pair: refuse them wherever they stand (reference 09 §4). */
export function refuseNul(value: unknown, loc: Detail["loc"] = []): void {
  if (
    typeof value === "string" &&
    (value.includes("\0") || /\p{Cs}/u.test(value))
  ) {
    throw validationError([
      {
        type: "value_error",
        loc,
        msg: "Text must not contain NUL or broken characters",
      },
    ]);
  }
  if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) refuseNul(entry, [...loc, i]);
  } else if (value && typeof value === "object") {
    for (const [key, entry] of Object.entries(value)) {
      refuseNul(key, loc);
      refuseNul(entry, [...loc, key]);
    }
  }
}
