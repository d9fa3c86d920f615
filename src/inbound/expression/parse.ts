import { bounded, Exact } from "../decimals.js";
import { Fault, type Spend } from "../fault.js";
import { type Path, single } from "../path.js";
import { functions } from "./functions.js";
import {
  arithmetic,
  type Comparison,
  checkName,
  comparisons,
  member,
  type Sign,
  slice,
  subscript,
} from "./operations.js";
import { TokenReader } from "./tokens.js";
import { costOf, numeral, read, truth, type Value } from "./values.js";

/** What an expression is evaluated on. */
export interface Context {
  source: unknown;
  spend: Spend;
  /** Whether blank texts at a named path count as missing. */
  skipsBlank: boolean;
}
export type Expression = (context: Context) => Value;

const MAX_DEPTH = 40;
const constants = new Map<string, Value>([
  ["True", true],
  ["False", false],
  ["None", null],
]);
const words = new Set(["and", "or", "not", "if", "else", "in", "is"]);
/** Names that a path of an expression cannot have. */
export const reservedNames: ReadonlySet<string> = new Set(["source", ...words, ...functions.keys()]);
const callable = [...functions.keys()].join(", ");

/**
 * Parses an expression: the subset of Python's that mapping documents use (docs/interface.md, Inbound), which is
 * `source`, names of paths, literals, arithmetic, comparisons, `and` `or` `not`, `a if b else c`, subscripts, and calls
 * of eight functions. It is compiled to closures, one for each operation; no text is ever run as code. There are no
 * loops, so the number of operations is bounded, and each takes its cost from the budget.
 */
export function readExpression(text: string, paths: ReadonlyMap<string, Path> = new Map()): Expression {
  const reader = new TokenReader(text);
  let depth = 0;

  function conditional(): Expression {
    if (++depth > MAX_DEPTH) throw new Fault("the expression is nested too deeply");
    const then = disjunction();
    depth--;
    if (!reader.accept("if")) return then;
    const test = disjunction();
    reader.expect("else");
    const otherwise = conditional();
    return (context) => (isTrue(test(context), context) ? then : otherwise)(context);
  }

  function disjunction(): Expression {
    let left = conjunction();
    while (reader.accept("or")) {
      const [a, b] = [left, conjunction()];
      left = (context) => {
        const value = a(context);
        return isTrue(value, context) ? value : b(context);
      };
    }
    return left;
  }

  function conjunction(): Expression {
    let left = negation();
    while (reader.accept("and")) {
      const [a, b] = [left, negation()];
      left = (context) => {
        const value = a(context);
        return isTrue(value, context) ? b(context) : value;
      };
    }
    return left;
  }

  function negation(): Expression {
    let times = 0;
    while (reader.accept("not")) times++;
    const operand = comparison();
    if (times === 0) return operand;
    return (context) => isTrue(operand(context), context) === (times % 2 === 0);
  }

  /** Comparisons can be chained: `0 < a <= 9` is true when both are. */
  function comparison(): Expression {
    const first = sum();
    const rest: [Comparison, Expression][] = [];
    for (let compare = comparator(); compare; compare = comparator()) rest.push([compare, sum()]);
    if (rest.length === 0) return first;
    return (context) => {
      let left = first(context);
      return rest.every(([compare, operand]) => {
        const right = operand(context);
        context.spend(1 + costOf(left) + costOf(right));
        const holds = compare(left, right);
        left = right;
        return holds;
      });
    };
  }

  function comparator(): Comparison | undefined {
    if (reader.accept("not")) {
      reader.expect("in");
      return comparisons.get("not in");
    }
    const { kind, value } = reader.next;
    const compare = kind === "text" ? undefined : comparisons.get(value);
    if (compare) reader.take();
    return value === "is" && reader.accept("not") ? comparisons.get("is not") : compare;
  }

  const sum = () => chain(["+", "-"], product);
  const product = () => chain(["*", "//", "/", "%"], signed);

  function chain(signs: Sign[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const sign = signs.find((sign) => reader.accept(sign));
      if (!sign) return left;
      const [a, b] = [left, operand()];
      left = step((context) => arithmetic(sign, a(context), b(context)));
    }
  }

  function signed(): Expression {
    const signs: string[] = [];
    while (reader.isNext("-") || reader.isNext("+")) signs.push(reader.take().value);
    const operand = subscripted();
    if (signs.length === 0) return operand;
    const negative = signs.filter((sign) => sign === "-").length % 2 === 1;
    return step((context) => {
      const number = numeral(operand(context));
      return negative ? number.neg() : number;
    });
  }

  function subscripted(): Expression {
    const ofPayload = reader.next.kind === "name" && (reader.isNext("source") || paths.has(reader.next.value));
    let value = atom();
    for (;;) {
      const holder = value;
      if (reader.accept(".")) value = attribute(holder, ofPayload);
      else if (reader.accept("[")) value = element(holder);
      else return value;
    }
  }

  /** An attribute of `source`, of what a path finds, or of something in it; nothing else has attributes. */
  function attribute(holder: Expression, ofPayload: boolean): Expression {
    const token = reader.take();
    const { kind, value: name } = token;
    if (kind !== "name") throw reader.unexpected(token);
    checkName(name);
    if (reader.isNext("(")) throw new Fault(`${name}(…): an expression calls ${callable} and no other`);
    if (!ofPayload)
      throw new Fault(`.${name}: only source and names of paths have names below them; elsewhere it is ['${name}']`);
    return step((context) => member(holder(context), name));
  }

  function element(holder: Expression): Expression {
    const { kind, value: name } = reader.next;
    if (kind === "text" && reader.afterNext?.value === "]") checkName(name);
    const from = reader.isNext(":") ? undefined : conditional();
    if (from && reader.accept("]")) return step((context) => subscript(holder(context), from(context)));
    reader.expect(":");
    const to = reader.isNext("]") ? undefined : conditional();
    reader.expect("]");
    return (context) => {
      const cut = slice(holder(context), from?.(context), to?.(context));
      context.spend(1 + costOf(cut));
      return cut;
    };
  }

  function atom(): Expression {
    const token = reader.take();
    const { kind, value } = token;
    if (kind === "number") {
      const number = bounded(new Exact(value));
      return () => number;
    }
    if (kind === "text") return () => value;
    if (value === "(" && kind === "sign") {
      const inner = conditional();
      reader.expect(")");
      return inner;
    }
    if (value === "[" && kind === "sign") {
      const items = list("]");
      return step((context) => items.map((item) => item(context)));
    }
    if (kind !== "name" || words.has(value)) throw reader.unexpected(token);
    return named(value);
  }

  function named(name: string): Expression {
    const constant = constants.get(name);
    if (constant !== undefined) return () => constant;
    if (name === "source") return step(({ source }) => read(source));
    const path = paths.get(name);
    if (path) return ({ source, spend, skipsBlank }) => read(single(path, source, spend, skipsBlank));
    const called = functions.get(name);
    if (!called) throw new Fault(`the name ${name} means nothing here: an expression knows source, ${callable}`);
    reader.expect("(");
    const items = list(")");
    if (items.length < called.min || items.length > called.max)
      throw new Fault(`${name}() does not take ${items.length} values`);
    return (context) => {
      const values = items.map((item) => item(context));
      for (const value of values) context.spend(1 + 3 * costOf(value));
      return called.run(...values);
    };
  }

  function list(end: string): Expression[] {
    const items: Expression[] = [];
    while (!reader.accept(end)) {
      if (items.length > 0) reader.expect(",");
      if (items.length > 0 && reader.accept(end)) break;
      items.push(conditional());
    }
    return items;
  }

  const expression = conditional();
  if (reader.next.kind !== "end") throw reader.unexpected();
  return expression;
}

function isTrue(value: Value, { spend }: Context): boolean {
  spend(1 + costOf(value));
  return truth(value);
}

/** An operation that costs one step. */
const step =
  (run: Expression): Expression =>
  (context) => {
    context.spend(1);
    return run(context);
  };
