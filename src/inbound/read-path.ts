import type { JsonPathQuery } from "jsonpath-rfc9535/parser";
import parse from "jsonpath-rfc9535/parser";
import { exact, shown } from "./decimals.js";
import { Fault } from "./fault.js";
import { type Filter, find, forbiddenNames, type Path, type Step, WILDCARD } from "./path.js";
import { compare } from "./path-comparison.js";

// The parser's result; it exports no other type.
type Segment = JsonPathQuery["segments"][number];
type Node = Extract<Segment, { type: "ChildSegment" }>["node"];
type Selector = Extract<Node, { type: "BracketedSelection" }>["selectors"][number];
type Condition = Extract<Selector, { type: "FilterSelector" }>["value"];
type Side = Extract<Condition, { type: "ComparisonExpr" }>["left"];
type SingularSegment = Extract<Side, { type: "RelSingularQuery" }>["segments"][number];

const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;

const ALLOWED = "only names, single indexes, * and filters are allowed, one in a bracket";
const NO_FUNCTIONS = "a filter has no functions";

/**
 * Parses a JSONPath (RFC 9535) of names, indexes, wildcards and filters. Slices, lists of selectors and `..` are
 * refused, and so are functions in filters, two of which take regular expressions.
 */
export function readPath(text: string): Path {
  refuseChains(text);
  try {
    return parse(text).segments.map(stepOf);
  } catch (error) {
    if (error instanceof Fault) throw new Fault(`${text}: ${error.message}`);
    const { location } = error as { location?: { start: { offset: number } } };
    const from = location ? `, from ${shown(text.slice(location.start.offset))} on` : "";
    throw new Fault(`${text} is not a JSONPath${from}; a name with signs in it is ['a-b']`);
  }
}

/** The parser reads the second `&&` of `a && b && c` as `||`; it reads `a && (b && c)` correctly. */
function refuseChains(text: string): void {
  const levels = [false];
  for (const [sign] of text.replace(QUOTED, "").matchAll(/&&|\|\||[([]|[)\]]/g)) {
    if (sign === "(" || sign === "[") levels.push(false);
    else if (sign === ")" || sign === "]") levels.pop();
    else if (sign === "&&" && levels.at(-1)) throw new Fault(`${text}: a && b && c has to be a && (b && c)`);
    else levels[levels.length - 1] = sign === "&&";
  }
}

function stepOf(segment: Segment | SingularSegment): Step {
  if (segment.type === "DescendantSegment") throw new Fault(ALLOWED);
  const { node } = segment;
  if (node.type !== "BracketedSelection") return selected(node);
  const [selector, ...more] = node.selectors;
  if (!selector || more.length > 0) throw new Fault(ALLOWED);
  return selected(selector);
}

function selected(selector: Selector | Exclude<Node, { type: "BracketedSelection" }>): Step {
  switch (selector.type) {
    case "NameSelector":
    case "MemberNameShorthand":
      if (forbiddenNames.has(selector.value)) throw new Fault(`the name ${selector.value} is not allowed`);
      return selector.value;
    case "IndexSelector":
      // In a comparison the parser puts the selector into another one.
      return "selector" in selector ? (selector.selector as typeof selector).value : selector.value;
    case "WildcardSelector":
      return WILDCARD;
    case "FilterSelector":
      return filterOf(selector.value);
    case "SliceSelector":
      throw new Fault(ALLOWED);
  }
}

function filterOf(condition: Condition): Filter {
  switch (condition.type) {
    case "LogicalOrExpr": {
      const [a, b] = [filterOf(condition.left), filterOf(condition.right)];
      return (...at) => a(...at) || b(...at);
    }
    case "LogicalAndExpr": {
      const [a, b] = [filterOf(condition.left), filterOf(condition.right)];
      return (...at) => a(...at) && b(...at);
    }
    case "LogicalNotExpr": {
      const negated = filterOf(condition.expression);
      return (...at) => !negated(...at);
    }
    case "TestExpr": {
      if (condition.expression.type === "FunctionExpr") throw new Fault(NO_FUNCTIONS);
      const found = foundBy(condition.expression.value);
      return (...at) => found(...at).length > 0;
    }
    case "ComparisonExpr": {
      const { left, op, right } = condition;
      const [a, b] = [sideOf(left), sideOf(right)];
      return (member, root, spend) => compare(op, a(member, root, spend), b(member, root, spend), spend);
    }
  }
}

type Reader<T> = (...at: Parameters<Filter>) => T;

/** One side of a comparison; undefined where it finds nothing. */
function sideOf(side: Side): Reader<unknown> {
  if (side.type === "FunctionExpr") throw new Fault(NO_FUNCTIONS);
  if (side.type === "Literal") {
    if (typeof side.value === "number") exact(side.value);
    return () => side.value;
  }
  const found = foundBy(side);
  return (...at) => found(...at)[0];
}

/** The result of a path in a filter: `@` is the member, `$` the root. */
function foundBy(query: { type: string; segments: (Segment | SingularSegment)[] }): Reader<unknown[]> {
  const path = query.segments.map(stepOf);
  const relative = query.type.startsWith("Rel");
  return (member, root, spend) => find(path, relative ? member : root, spend, root);
}
