import { z } from "zod";
import { validationError } from "../../src/platform/problem.js";

/** An entry of a 400 validation body (docs/interface.md, Answers and errors); clients know the values of `type`. */
export const Detail = z
  .strictObject({
    type: z.string().meta({ description: "The kind of fault, for programs.", examples: ["missing"] }),
    loc: z.array(z.union([z.string(), z.int()])).meta({
      description: "The path to the field: names, and places in lists from 0.",
      examples: [["items", 0, "quantity"]],
    }),
    msg: z.string().meta({ description: "What is wrong, in words.", examples: ["Field required"] }),
  })
  .meta({ id: "Fault", description: "What is wrong with one field of the request." });
type Detail = z.infer<typeof Detail>;

/** How many invalid fields are named; any others are only counted. */
const MAX_DETAILS = 50;
/** Longer names of fields are cut off. */
const MAX_NAME = 200;

/**
 * Parses the value; throws a 400 that names the invalid fields. An integer may come as text of digits, as scanners send
 * it.
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const plain = schema.safeParse(value);
  return plain.success ? plain.data : validateTexts(schema, value);
}

/** The same for a value that is invalid as it is: integers that came as text are converted, at any depth. */
function validateTexts<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const texts: PropertyKey[][] = [];
  const error: z.core.$ZodErrorMap = (issue) => {
    // The path of an alternative is relative to the union, so it does not lead there.
    const path = (issue.path ?? []) as PropertyKey[];
    if (isIntegerAsText(issue) && valueAt(value, path) === issue.input) texts.push(path);
    return undefined;
  };
  const result = schema.safeParse(value, { reportInput: true, error });
  if (result.success) return result.data;
  // Reading the issues is what collects the texts.
  const { issues } = result.error;
  if (texts.length > 0) return validateTexts(schema, withIntegers(value, texts));
  throw validationError(detailsOf(issues));
}

function isIntegerAsText({ code, input, inst }: z.core.$ZodRawIssue): boolean {
  return (
    code === "invalid_type" &&
    inst instanceof z.core.$ZodNumberFormat &&
    typeof input === "string" &&
    DIGITS.test(input)
  );
}

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
  path.reduce((holder, key) => (holder as Record<PropertyKey, unknown> | undefined)?.[key], value);

/** The digits of the largest safe integer. */
const DIGITS = /^\d{1,15}$/;

/** A copy of the value in which the texts at these paths are integers. */
function withIntegers(value: unknown, paths: PropertyKey[][]): unknown {
  const copy = structuredClone({ value });
  for (const path of paths) {
    let holder: Record<PropertyKey, unknown> = copy;
    const way = ["value", ...path];
    const last = way.pop() as PropertyKey;
    for (const key of way) holder = holder[key] as Record<PropertyKey, unknown>;
    holder[last] = Number(holder[last]);
  }
  return copy.value;
}

function detailsOf(issues: z.core.$ZodIssue[]): Detail[] {
  const details: Detail[] = [];
  let all = 0;
  for (const issue of issues) {
    all += issue.code === "unrecognized_keys" ? issue.keys.length : 1;
    const left = MAX_DETAILS - details.length;
    if (left > 0) details.push(...detailsOfIssue(issue, left));
  }
  const more = all - details.length;
  if (more > 0) details.push({ type: "too_many_errors", loc: [], msg: `… and ${more} more` });
  return details;
}

const shortened = (name: string) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

/** An issue is one invalid field, or all unknown fields of an object, of which at most `max` are named. */
function detailsOfIssue(issue: z.core.$ZodIssue, max: number): Detail[] {
  const loc = issue.path.map((p) => (typeof p === "number" ? p : shortened(String(p))));
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .slice(0, max)
      .map(shortened)
      .map((key) => ({ type: "extra_forbidden", loc: [...loc, key], msg: `Unknown field: ${key}` }));
  }
  if (issue.input === undefined && ["invalid_type", "invalid_value", "invalid_union"].includes(issue.code)) {
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

/** A list or an object in the value, and its path. */
interface Node {
  holder: object;
  key: string | number;
  within?: Node;
}

function locOf({ key, within }: Node): Detail["loc"] {
  return within ? [...locOf(within), key] : [];
}

/** Postgres cannot store NUL in text, nor half of a surrogate pair in JSON. */
const cannotBeStored = (value: unknown): boolean =>
  typeof value === "string" && (value.includes("\0") || !value.isWellFormed());

/**
 * Refuses text that Postgres cannot store, in values and in names at any depth (docs/interface.md, What stays as it
 * was).
 */
export function refuseNul(value: unknown): void {
  const refuse = (loc: Detail["loc"]) =>
    validationError([{ type: "value_error", loc, msg: "Text must not contain NUL or broken characters" }]);
  if (cannotBeStored(value)) throw refuse([]);
  const nodes: Node[] = isHolder(value) ? [{ holder: value, key: "" }] : [];
  for (let within = nodes.pop(); within; within = nodes.pop()) {
    const { holder } = within;
    for (const name of Object.keys(holder)) {
      const entry = (holder as Record<string, unknown>)[name];
      const key = Array.isArray(holder) ? Number(name) : name;
      if (cannotBeStored(name)) throw refuse(locOf(within));
      if (cannotBeStored(entry)) throw refuse([...locOf(within), key]);
      if (isHolder(entry)) nodes.push({ holder: entry, key, within });
    }
  }
}

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;
