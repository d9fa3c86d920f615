import { isMap, isScalar, Lexer, parseDocument, visit } from "yaml";

export const MAX_DOCUMENT_KB = 64;
const MAX_KEYS = 2_000;
const MAX_DEPTH = 20;
/** Indentation before a comment is not a level, so this counts at least as many levels as there are. */
const MAX_BLANKS = 100;
const MAX_ALIASES = 100;
const MAX_MARKS = 500;

const tooDeep = () => new Error(`it is nested more than ${MAX_DEPTH} levels deep`);

/** Parses a YAML or JSON file; throws when it is not valid. */
export function dataOf(content: Buffer, json: boolean): unknown {
  if (content.length > MAX_DOCUMENT_KB * 1024) throw new Error(`it is larger than ${MAX_DOCUMENT_KB} KB`);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  const data = json ? JSON.parse(text) : dataOfYaml(text);
  checkSize(data);
  return data;
}

function dataOfYaml(text: string): unknown {
  checkYamlLimits(text);
  const document = parseDocument(text, {
    schema: "core",
    stringKeys: true,
    resolveKnownTags: false,
    // The parser compares each key with all keys before it.
    uniqueKeys: false,
  });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw fault;
  visit(document, (_, node) => {
    if (!isMap(node)) return;
    const names = node.items.map(({ key }) => (isScalar(key) ? key.value : key));
    if (new Set(names).size === names.length) return;
    throw new Error(`Map keys must be unique: ${names.find((name, i) => names.indexOf(name) < i)} is there twice`);
  });
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}

/**
 * Checks nesting and size by the tokens alone, before the YAML is parsed: the parser is recursive, reads nested entries
 * of a line several times, and has no limits.
 */
function checkYamlLimits(text: string): void {
  let flow = 0;
  let onLine = 0;
  let marks = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") flow++;
    else if (token === "]" || token === "}") flow--;
    else if (token === "\n") onLine = 0;
    else if (flow === 0 && ["-", "?", ":"].includes(token)) onLine++;
    else if (/^[&*!]/.test(token)) marks++;
    if (Math.max(flow, onLine) > MAX_DEPTH || (token.length > MAX_BLANKS && /^ *$/.test(token))) throw tooDeep();
    if (marks > MAX_MARKS) throw new Error(`it has more than ${MAX_MARKS} anchors, aliases and tags`);
  }
}

/** Checks the parsed value, whatever its syntax was: code that reads it later relies on these limits. */
function checkSize(data: unknown): void {
  let keys = 0;
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null) return;
    if (depth > MAX_DEPTH) throw tooDeep();
    if (!Array.isArray(value)) keys += Object.keys(value).length;
    if (keys > MAX_KEYS) throw new Error(`it has more than ${MAX_KEYS} keys`);
    for (const member of Object.values(value)) visit(member, depth + 1);
  };
  visit(data, 1);
}
