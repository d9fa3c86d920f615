import assert from "node:assert/strict";

/** A field of a label: where it begins, and what it prints. */
export interface ZplField {
  x: number;
  y: number;
  /** The command that says how: `A0`, `A@`, `BC`, `BE`, `B8`, `BU`, `BQ`. */
  kind: string;
  data: string;
}

export interface ZplLabel {
  width: number;
  height: number;
  fields: ZplField[];
}

/** The commands that a printer may get from us, each with what may follow it. */
const commands: [string, RegExp][] = [
  ["XA", /^$/],
  ["CI", /^28$/],
  ["PW", /^\d+$/],
  ["LL", /^\d+$/],
  ["LH", /^0,0$/],
  ["FO", /^\d+,\d+$/],
  ["A0", /^N,\d+$/],
  ["A@", /^N,\d+,\d+,E:TT0003M_\.FNT$/],
  ["BY", /^([1-9]|10)$/],
  ["BC", /^N,\d+,N,N,N,A$/],
  ["BE", /^N,\d+,N,N$/],
  ["B8", /^N,\d+,N,N$/],
  ["BU", /^N,\d+,N,N,N$/],
  ["BQ", /^N,2,([1-9]|10)$/],
  ["GB", /^\d+,2,2$/],
  ["FH", /^$/],
  ["FD", /^[ -~]*$/],
  ["FS", /^$/],
  ["XZ", /^$/],
];

/** The labels that a printer would print; anything that is not one of the commands above fails the test. */
export function readZpl(text: string): ZplLabel[] {
  assert.doesNotMatch(text, /~/, "a control command");
  const [start, ...parts] = text.replaceAll("\n", "").split("^");
  assert.equal(start, "");
  const labels: ZplLabel[] = [];
  let label: ZplLabel | undefined;
  let field: ZplField | undefined;
  for (const part of parts) {
    const [name, rest] = [part.slice(0, 2), part.slice(2)];
    const allowed = commands.find(([command]) => command === name)?.[1];
    assert.match(rest, allowed ?? assert.fail(`no such command: ^${part}`), `^${part}`);
    if (name === "XA") {
      assert.equal(label, undefined);
      label = { width: 0, height: 0, fields: [] };
      continue;
    }
    const open: ZplLabel = label ?? assert.fail(`^${part} before a label`);
    if (name === "XZ") {
      assert.equal(field, undefined);
      labels.push(open);
      label = undefined;
    } else if (name === "PW") open.width = Number(rest);
    else if (name === "LL") open.height = Number(rest);
    else if (name === "FO") {
      assert.equal(field, undefined);
      const [x = 0, y = 0] = rest.split(",").map(Number);
      field = { x, y, kind: "", data: "" };
    } else if (/^(A|B[^Y])/.test(name)) (field ?? assert.fail(part)).kind = name;
    else if (name === "FD") (field ?? assert.fail(part)).data = decoded(rest);
    else if (name === "FS") {
      const done = field ?? assert.fail(part);
      assert.ok(done.x < open.width && done.y < open.height, JSON.stringify(done));
      if (done.kind) open.fields.push(done);
      field = undefined;
    }
  }
  assert.equal(label, undefined);
  return labels;
}

/** The data of a field: `_` and two digits are a byte of UTF-8. */
const decoded = (data: string): string =>
  decodeURIComponent(data.replaceAll("%", "%25").replace(/_([0-9A-F]{2})/g, "%$1"));
