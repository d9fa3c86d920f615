import assert from "node:assert/strict";
import { readExpression } from "../../src/inbound/expression/parse.js";
import { written } from "../../src/inbound/expression/values.js";
import { budget, Fault } from "../../src/inbound/fault.js";

/** As a request's body is read: `__proto__` is a member like any other then. */
const payload = JSON.parse(`{
  "name": "Ann", "empty": "", "none": null, "yes": true, "no": false, "zero": 0, "q": 3, "price": "12.50", "tenth": 0.1,
  "list": [1, 2, 3], "words": ["b", "a"], "deep": { "er": [{ "sku": "S" }] }, "smile": "😀x",
  "huge": 12345678901234567890,
  "__proto__": { "polluted": 1 }, "constructor": { "name": "x" }, "_private": 1, "key": "__proto__"
}`);
const value = (expression: string, source: unknown = payload) =>
  written(readExpression(expression)({ source, spend: budget(100_000), skipsBlank: false }));

describe("a derived expression", () => {
  const values: Record<string, unknown> = {
    // Arithmetic, in exact decimals.
    "1 + 2 * 3": 7,
    "(1 + 2) * 3": 9,
    "0.1 + 0.2": "0.3",
    "source.tenth * 3": "0.3",
    "7 / 2": "3.5",
    "7 // 2": 3,
    "-7 // 2": -4,
    "7 % 3": 1,
    "-7 % 3": 2,
    "7 % -3": -2,
    "- - 2": 2,
    "+source.q": 3,
    "2e2": 200,
    "99999999999999999999 + 1": "100000000000000000000",
    "'a' + \"b\"": "ab",
    "'it\\'s' + '\\n'": "it's\n",
    // Comparisons, also in chains.
    "1 < 2 <= 2": true,
    "3 > 2 > 2": false,
    "'a' < 'b'": true,
    "source.q == 3.0": true,
    "'3' == source.q": false,
    "source.none is None": true,
    "source.name is not None": true,
    "source.none == None": true,
    "2 in source.list": true,
    "'z' not in source.words": true,
    "'nn' in source.name": true,
    "'deep' in source": true,
    "source.name in ['Ann', 'Bo']": true,
    // Words, as Python has them.
    "not source.none and 'x' or 'y'": "x",
    "source.zero or source.empty or 'last'": "last",
    "source.no and source.missing": false,
    "not not source.list": true,
    "not 1 == 2": true,
    "'yes' if source.yes else 'no'": "yes",
    "1 if source.zero else 2 if source.empty else 3": 3,
    "source.missing if source.no else None": null,
    // What the payload holds.
    "source.deep.er[0].sku": "S",
    "source['deep']['er'][-1]['sku']": "S",
    "source.list[1:]": [2, 3],
    "source.name[:2]": "An",
    "source.name[-1]": "n",
    "[source.q, source.name]": [3, "Ann"],
    // The eight functions.
    "int('12')": 12,
    "int(-1.9)": -1,
    "int(True)": 1,
    "float(source.price) * source.q": "37.5",
    "str(source.q) + str(source.yes)": "3True",
    "str(float('2.50'))": "2.5",
    "len(source.smile)": 2,
    "len(source.list) + len(source.deep)": 4,
    "abs(-source.tenth)": "0.1",
    "min(3, 1, 2)": 1,
    "max(source.list)": 3,
    "min(source.words)": "a",
    "round(2.5)": 2,
    "round(3.5)": 4,
    "round(2.675, 2)": "2.68",
    "round(1250, -2)": 1200,
  };
  for (const [expression, expected] of Object.entries(values))
    it(`${expression} is ${JSON.stringify(expected)}`, () => assert.deepEqual(value(expression), expected));

  const refusedAtStart: Record<string, RegExp> = {
    "__import__('os').system('true')": /the name __import__ means nothing/,
    "eval('1')": /the name eval means nothing/,
    "exec('1')": /the name exec means nothing/,
    "open('/etc/passwd')": /the name open means nothing/,
    "process.exit(1)": /the name process means nothing/,
    globalThis: /the name globalThis means nothing/,
    this: /the name this means nothing/,
    "(lambda: 1)()": /the name lambda means nothing/,
    "[x for x in source.list]": /the name x means nothing/,
    "source.__class__": /the name "__class__" is not allowed/,
    "source._private": /the name "_private" is not allowed/,
    "source.constructor": /the name "constructor" is not allowed/,
    "source['__proto__']": /the name "__proto__" is not allowed/,
    "source.prototype": /the name "prototype" is not allowed/,
    "source.name.upper()": /upper\(…\): an expression calls int, float, .* and no other/,
    "source['name'].x()": /x\(…\): an expression calls/,
    "source()": /unexpected \(/,
    "'a'.upper": /\.upper: only source and names of paths have names below them; elsewhere it is \['upper'\]/,
    "[].length": /\.length: only source/,
    "str(source).length": /\.length: only source/,
    "(1).real": /\.real: only source/,
    "(source).name": /\.name: only source/,
    int: /unexpected the end/,
    "int()": /int\(\) does not take 0 values/,
    "round(1, 2, 3)": /round\(\) does not take 3 values/,
    "max(source.list, key=len)": /cannot be read at =/,
    "9 ** 9": /unexpected \*\*/,
    "1 << 60": /unexpected </,
    "f'{source}'": /the name f means nothing/,
    "`x`": /cannot be read at `/,
    "a := 1": /cannot be read at = 1/,
    "source.": /unexpected the end/,
    "source[": /unexpected the end/,
    "1 if 2": /unexpected the end/,
    "1 not 2": /unexpected 2/,
    "1; 2": /cannot be read at ;/,
    "'open": /cannot be read at 'open/,
    "'\\x41'": /unknown escape/,
    "": /unexpected the end/,
    "1e99": /more than 40 digits/,
    [`${"(".repeat(60)}1${")".repeat(60)}`]: /nested too deeply/,
    [`${"[".repeat(60)}1${"]".repeat(60)}`]: /nested too deeply/,
  };
  for (const [expression, message] of Object.entries(refusedAtStart))
    it(`${expression.slice(0, 40)} is refused when it is read`, () =>
      assert.throws(
        () => readExpression(expression),
        (error) => error instanceof Fault && message.test(error.message),
      ));

  const refusedAtApply: Record<string, RegExp> = {
    "source.missing": /the payload has no "missing" there/,
    "source.name.length": /"Ann" has no "length"/,
    "source.list.length": /a list has no "length"/,
    "source.none.x": /null has no "x"/,
    "source.toString": /has no "toString"/,
    "source.deep.hasOwnProperty": /has no "hasOwnProperty"/,
    "source[source.key]": /the name "__proto__" is not allowed/,
    "source['_' + 'private']": /the name "_private" is not allowed/,
    "source['con' + 'structor']": /the name "constructor" is not allowed/,
    "source.list[3]": /there is no element 3/,
    "source.list[-4]": /there is no element -4/,
    "source.list['0']": /a list has no "0"/,
    "source.list[0.5]": /0\.5 is not a place/,
    "1 / source.zero": /division by zero/,
    "1 % 0": /division by zero/,
    "'a' * 1000000": /"a" \* 1000000: both have to be numbers/,
    "source.name + 1": /"Ann" \+ 1: both have to be numbers, or both texts/,
    "source.yes + 1": /true \+ 1: both have to be numbers, or both texts/,
    "source.list + source.list": /a list \+ a list: both have to be numbers, or both texts/,
    "1 < 'a'": /1 and "a" cannot be compared/,
    "source.deep == source.deep": /an object cannot be compared/,
    "1 in 5": /cannot be sought/,
    "int('1.5')": /"1.5" is not a whole number/,
    "float('nan')": /"nan" is not a number/,
    "float('Infinity')": /"Infinity" is not a number/,
    "float('0x10')": /"0x10" is not a number/,
    "float('1e999')": /more than 40 digits/,
    "str(None)": /null cannot be made a text/,
    "len(5)": /5 has no length/,
    "min([])": /min and max of nothing/,
    "round(1, 400)": /more than 30 places/,
    "source.huge + 0": /too large to be exact in JSON/,
    "1e39 * 10": /more than 40 digits/,
  };
  for (const [expression, message] of Object.entries(refusedAtApply))
    it(`${expression} is refused when it is applied`, () =>
      assert.throws(
        () => value(expression),
        (error) => error instanceof Fault && message.test(error.message),
      ));

  it("does not make long texts, however it joins them", () => {
    const text = "a".repeat(9_000);
    assert.throws(() => value("source.t + source.t", { t: text }), /longer than 10000 characters/);
  });

  it("spends its budget by what it walks through", () => {
    const list = Array.from({ length: 200_000 }, () => 1);
    for (const expression of ["2 in source", "max(source)", "len(source[1:])"])
      assert.throws(() => value(expression, list), /too large/, expression);
  });
});
