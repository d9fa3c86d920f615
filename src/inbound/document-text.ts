import { Lexer, parseDocument } from "yaml";

const LARGEST = 256 * 1024;
const DEEPEST = 50;
const MOST_ALIASES = 100;
const MOST_MARKS = 500;

/** What a file says, as plain data; throws when it cannot be read. */
export function dataOf(content: Buffer, json: boolean): unknown {
  if (content.length > LARGEST) throw new Error("it is larger than 256 KB");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  if (json) return JSON.parse(text);
  refuseHostile(text);
  const document = parseDocument(text, {
    schema: "core",
    stringKeys: true,
    resolveKnownTags: false,
  });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw fault;
  return document.toJS({ maxAliasCount: MOST_ALIASES });
}

/**
 * YAML is read by functions that call themselves for each level and walk again over what a line holds, without limits
 * of their own. What the words are is known before.
 */
function refuseHostile(text: string): void {
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
    if (Math.max(flow, onLine, indent) > DEEPEST) throw new Error(`it is nested more than ${DEEPEST} levels deep`);
    if (marks > MOST_MARKS) throw new Error(`it has more than ${MOST_MARKS} anchors, aliases and tags`);
  }
}
