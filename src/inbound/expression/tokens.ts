import { Fault } from "../fault.js";

interface Token {
  kind: "number" | "text" | "name" | "sign" | "end";
  value: string;
}

const PATTERNS = [
  /(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/u,
  /(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,
  /(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/u,
  /(?<sign>\/\/|\*\*|==|!=|<=|>=|[-+*/%<>()[\].,:])/u,
];
const TOKEN = new RegExp(`\\s*(?:${PATTERNS.map(({ source }) => source).join("|")})`, "uy");

const escapes: Record<string, string> = { "\\": "\\", "'": "'", '"': '"', n: "\n", r: "\r", t: "\t" };

/** Splits an expression into tokens. */
function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  const trimmed = expression.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(trimmed)?.groups;
    if (!found) {
      const rest = trimmed.slice(at).trimStart();
      throw new Fault(`the expression cannot be read at ${rest.slice(0, 20)}`);
    }
    const [kind, value] = Object.entries(found).find(([, value]) => value !== undefined) as [Token["kind"], string];
    tokens.push({ kind, value: kind === "text" ? unquoted(value) : value });
  }
  tokens.push({ kind: "end", value: "the end" });
  return tokens;
}

function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gsu, (all, letter: string) => {
    const meant = escapes[letter];
    if (meant === undefined) throw new Fault(`the expression has the unknown escape ${all}`);
    return meant;
  });
}

/** Reads the tokens of an expression in order. */
export class TokenReader {
  readonly #tokens: Token[];
  #position = 0;
  constructor(expression: string) {
    this.#tokens = tokensOf(expression);
  }

  get next(): Token {
    return this.#tokens[this.#position] as Token;
  }
  get afterNext(): Token | undefined {
    return this.#tokens[this.#position + 1];
  }
  take(): Token {
    const token = this.next;
    if (token.kind !== "end") this.#position++;
    return token;
  }
  /** Whether this name or sign comes next; a text literal with the same characters does not count. */
  isNext(value: string): boolean {
    const next = this.next;
    return next.value === value && (next.kind === "sign" || next.kind === "name");
  }
  accept(value: string): boolean {
    const accepted = this.isNext(value);
    if (accepted) this.take();
    return accepted;
  }
  expect(value: string): void {
    if (!this.accept(value)) throw this.unexpected();
  }
  unexpected(token = this.next): Fault {
    return new Fault(`the expression has an unexpected ${token.value}`);
  }
}
