import assert from "node:assert/strict";
import { budget, Fault } from "../../src/inbound/fault.js";
import { find } from "../../src/inbound/path.js";
import { readPath } from "../../src/inbound/read-path.js";
import { inTime } from "../support/mappings.js";

const found = (path: string, payload: unknown, steps = 100_000) => find(readPath(path), payload, budget(steps));
const isFault = (message: RegExp) => (error: unknown) => error instanceof Fault && message.test(error.message);

describe("a filter of a path", () => {
  // The examples of RFC 9535, 2.3.5.3.
  const rfc = {
    a: [3, 5, 1, 2, 4, 6, { b: "j" }, { b: "k" }, { b: {} }, { b: "kilo" }],
    o: { p: 1, q: 2, r: 3, s: 5, t: { u: 6 } },
    e: "f",
  };
  const examples: Record<string, unknown[]> = {
    "$.a[?@.b == 'kilo']": [{ b: "kilo" }],
    "$.a[?(@.b == 'kilo')]": [{ b: "kilo" }],
    "$.a[?@>3.5]": [5, 4, 6],
    "$.a[?@.b]": [{ b: "j" }, { b: "k" }, { b: {} }, { b: "kilo" }],
    "$[?@.*]": [rfc.a, rfc.o],
    "$[?@[?@.b]]": [rfc.a],
    '$.a[?@<2 || @.b == "k"]': [1, { b: "k" }],
    "$.o[?@>1 && @<4]": [2, 3],
    "$.o[?@.u || @.x]": [{ u: 6 }],
    "$.a[?@.b == $.x]": [3, 5, 1, 2, 4, 6],
    "$.a[?!@.b]": [3, 5, 1, 2, 4, 6],
    "$.a[?@.b != 'k']": [3, 5, 1, 2, 4, 6, { b: "j" }, { b: {} }, { b: "kilo" }],
    "$.a[?@.b >= 'k']": [{ b: "k" }, { b: "kilo" }],
    "$.a[?@ <= 2]": [1, 2],
    "$.a[?@.b == 'j' || @.b == 'k' || @ == 1]": [1, { b: "j" }, { b: "k" }],
    "$.o[?@ > 1 && (@ < 5 && @ != 2)]": [3],
    "$.a[?(@ > 1 && @ < 3) || (@ > 4 && @ < 6)]": [5, 2],
    "$.a[?@.b == null]": [],
    "$.a[?@ == '3']": [],
    "$.e[?@ == 'f']": [],
  };
  for (const [path, expected] of Object.entries(examples)) it(path, () => assert.deepEqual(found(path, rfc), expected));

  it("compares what lies deeper, and with what lies elsewhere", () => {
    const order = {
      wanted: 2,
      boxes: [
        { ids: [1], name: { de: "eins" } },
        { ids: [2], name: { de: "zwei" } },
      ],
    };
    assert.deepEqual(found("$.boxes[?@.ids[0] == $.wanted].name.de", order), ["zwei"]);
    assert.deepEqual(found("$.boxes[?@['name']['de'] == 'eins'].ids[*]", order), [1]);
  });

  it("takes true, false, null and 0 for there, and only those for themselves", () => {
    const values = [{ v: null }, { v: false }, { v: 0 }, { v: "" }, {}];
    assert.deepEqual(found("$[?@.v == null]", values), [{ v: null }]);
    assert.deepEqual(found("$[?@.v == false]", values), [{ v: false }]);
    assert.deepEqual(found("$[?!@.v]", values), [{}]);
  });

  it("is refused where it has functions, or more than the parser reads rightly", () => {
    for (const path of ["$[?match(@.a, 'x.*')]", "$[?search(@.a, 'x')]", "$[?length(@.a) > 1]", "$[?count(@.*) == 1]"])
      assert.throws(() => readPath(path), isFault(/a filter has no functions/), path);
    for (const path of ["$[?@.a && @.b && @.c]", "$[?@.x || (@.a && @.b[0] && @.c['&&'])]"])
      assert.throws(() => readPath(path), isFault(/has to be a && \(b && c\)/), path);
    for (const path of ["$[?@.a == '&& && &&' && @.b]", "$[?@.a && @.b || @.c && @.d]"]) readPath(path);
    assert.throws(() => readPath("$[?@.constructor]"), isFault(/the name constructor is not allowed/));
    assert.throws(() => readPath("$[?@..a]"), isFault(/only names/));
    assert.throws(() => readPath("$[?@.a == 99999999999999999999]"), isFault(/too large to be exact/));
    assert.throws(() => readPath("$[?@.a, ?@.b]"), isFault(/one in a bracket/));
    assert.throws(() => readPath("$[?]"), isFault(/is not a JSONPath/));
  });

  it("does not compare lists, objects and numbers that were cut", () => {
    const cut = JSON.parse('[{"id": 12345678901234567890}]');
    assert.throws(() => found("$[?@.id == 5]", cut), isFault(/too large to be exact/));
    assert.throws(() => found("$[?@.a == @.b]", [{ a: [], b: [] }]), isFault(/does not compare lists/));
  });

  it("spends its budget by what it walks through", () => {
    const flat = Array.from({ length: 1_000 }, (_, key) => ({ key, value: "x" }));
    assert.equal(found("$[?@.key == 7].value", flat).length, 1);
    assert.throws(() => found("$[?@.key == 7].value", flat, 5_000), isFault(/too large/));
    const texts = Array.from({ length: 10 }, () => ({ key: "x".repeat(1_000) }));
    assert.throws(() => found("$[?@.key < 'y']", texts, 5_000), isFault(/too large/));
    const pairs = { all: flat };
    inTime(() =>
      assert.throws(() => found("$.all[?$.all[?$.all[?@.key < 0]]]", pairs, 1_000_000), isFault(/too large/)),
    );
  });

  it("is read in time, however it is nested", () => {
    for (const path of [
      `$${"[?@".repeat(120)}${"]".repeat(120)}`,
      `$[?${"(".repeat(240)}@.a${")".repeat(240)}]`,
      `$[?${"!(".repeat(120)}@.a${")".repeat(120)}]`,
      `$${"[?(@.a".repeat(60)}${")]".repeat(60)}`,
      `$${"[?(@.a".repeat(60)}`,
    ])
      inTime(() => {
        try {
          found(path, [{ a: [{ a: 1 }] }]);
        } catch (error) {
          assert.ok(error instanceof Fault, path);
        }
      });
  });
});
