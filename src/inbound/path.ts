import parse from "jsonpath-rfc9535/parser";
import { Fault, type Spend } from "./fault.js";

/** A part of a path: the name of a member, an index (from the end when negative), or a wildcard. */
type Step = string | number | typeof WILDCARD;
const WILDCARD = Symbol("*");
export type Path = readonly Step[];
/** Collecting the members of a large object is slow. */
const WILDCARD_COST = 5;

/** Names that would give access to prototypes. */
export const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;

/**
 * Parses a JSONPath (RFC 9535) of names, indexes and wildcards. Filters, slices, lists of selectors and `..` are
 * refused, so that the time to evaluate a path is linear in the size of the payload.
 */
export function readPath(text: string): Path {
  if (text.replace(QUOTED, "").includes("?"))
    throw new Fault(`${text} has a filter; only names, indexes and * are allowed`);
  let segments: ReturnType<typeof parse>["segments"];
  try {
    ({ segments } = parse(text));
  } catch (error) {
    throw new Fault(`${text} is not a JSONPath: ${(error as Error).message}`);
  }
  return segments.map((segment) => {
    const step = segment.type === "ChildSegment" ? stepOf(segment.node) : undefined;
    if (step === undefined) throw new Fault(`${text}: only names, single indexes and * are allowed`);
    if (typeof step === "string" && forbiddenNames.has(step))
      throw new Fault(`${text}: the name ${step} is not allowed`);
    return step;
  });
}

type ChildNode = Extract<ReturnType<typeof parse>["segments"][number], { type: "ChildSegment" }>["node"];

function stepOf(node: ChildNode): Step | undefined {
  if (node.type === "MemberNameShorthand") return node.value;
  if (node.type === "WildcardSelector") return WILDCARD;
  const [selector, ...more] = node.selectors;
  if (more.length > 0) return undefined;
  switch (selector?.type) {
    case "NameSelector":
    case "IndexSelector":
      return selector.value;
    case "WildcardSelector":
      return WILDCARD;
    default:
      return undefined;
  }
}

/** Whether the path can have several values. */
export const isMany = (path: Path) => path.includes(WILDCARD);

/** All values at the path. */
export function find(path: Path, root: unknown, spend: Spend): unknown[] {
  let found = [root];
  for (const step of path) {
    const [only] = found;
    const cost = step === WILDCARD ? WILDCARD_COST : 1;
    found = found.length === 1 ? below(only, step) : found.flatMap((value) => below(value, step));
    spend(1 + cost * found.length);
  }
  return found;
}

function below(value: unknown, step: Step): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (step === WILDCARD) return Object.values(value);
  if (typeof step === "number") {
    const index = step < 0 ? step + lengthOf(value) : step;
    return Array.isArray(value) && index in value ? [value[index]] : [];
  }
  return !Array.isArray(value) && Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
}

const lengthOf = (value: object) => (Array.isArray(value) ? value.length : 0);
