import { Fault } from "../fault.js";

interface Token {
  kind: "number" | "text" | "name" | "sign" | "end";
  value: string;
}

const TOKEN =
  /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<sign>\/\/|\*\*|==|!=|<=|>=|[-+*/%<>()[\].,:]))/uy;

const escapes: Record<string, string> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Cuts an expression into its words, numbers, texts and signs. */
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

/** The words of an expression, read from front to back. */
export class Reader {
  readonly #tokens: Token[];
  #place = 0;
  constructor(expression: string) {
    this.#tokens = tokensOf(expression);
  }

  get next(): Token {
    return this.#tokens[this.#place] as Token;
  }
  get afterNext(): Token | undefined {
    return this.#tokens[this.#place + 1];
  }
  take(): Token {
    const token = this.next;
    if (token.kind !== "end") this.#place++;
    return token;
  }
  /** Whether this word or sign comes next; a text that says the same is another thing. */
  isNext(value: string): boolean {
    const { kind, value: is } = this.next;
    return is === value && (kind === "sign" || kind === "name");
  }
  took(value: string): boolean {
    const is = this.isNext(value);
    if (is) this.take();
    return is;
  }
  expect(value: string): void {
    if (!this.took(value)) throw this.unexpected();
  }
  unexpected(token = this.next): Fault {
    return new Fault(`the expression has an unexpected ${token.value}`);
  }
}
