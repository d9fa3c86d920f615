import { Lexer, parseDocument } from "yaml";

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 50;
const MAX_ALIASES = 100;
const MAX_MARKS = 500;

/** Parses a YAML or JSON file; throws when it is not valid. */
export function dataOf(content: Buffer, json: boolean): unknown {
  if (content.length > MAX_BYTES) throw new Error("it is larger than 256 KB");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  if (json) return JSON.parse(text);
  checkYamlLimits(text);
  const document = parseDocument(text, {
    schema: "core",
    stringKeys: true,
    resolveKnownTags: false,
  });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw fault;
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
    const indent = /^ *$/.test(token) ? token.length / 2 : 0;
    if (Math.max(flow, onLine, indent) > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
    if (marks > MAX_MARKS) throw new Error(`it has more than ${MAX_MARKS} anchors, aliases and tags`);
  }
}
