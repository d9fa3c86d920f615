/** Values that nobody should send, and somebody does. */

/** In the place of a number in a body, as they stand in the JSON text. */
export const jsonNumbers = [
  ...["-1", "0", "-0", "1.5", "16.0", "1e2", "1.6e1", "0.1e-400", "1e30"],
  ...["2147483647", "2147483648", "-2147483649", "9007199254740993"],
  ...["9223372036854775808", "1e400", "-1e400", "9".repeat(400)],
  ...['"16"', '" 16"', '"0x10"', '"NaN"', "null", "true", "[]", "[1]", "{}"],
];

/** In the place of an integer in a path or a query. */
export const integerTexts = [
  ...["-1", "0", "0x10", "0b1", "1.6e1", "+16", "16.0", " 16", "16 ", "\u00a016"],
  ...["\u0661\u0666", "\uff11", "1_6", "16n", "1,6", "NaN", "Infinity", "null"],
  ...["2147483648", "9007199254740993", "9".repeat(400), "1e400", "true"],
];

/** Times that are none, or that not everything which handles them can hold. */
export const wrongTimes = [
  ...["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "now", "infinity"],
  ...["1969-12-31T23:59:59Z", "9999-01-01T00:00:00Z", "-infinity", "epoch"],
  ...["2026-02-30T00:00:00Z", "2026-05-06T24:00:01Z", "2026-05-06T12:00:61Z"],
  ...["+275760-09-13T00:00:00Z", "-000001-01-01T00:00:00Z", "2026-05-06T12:00"],
  ...["2026-05-06T12:00:00+24:00", "2026-05-06T12:00:00 Europe/Berlin"],
  ...["294277-01-01T00:00:00Z", "4714-11-24 BC", "1778068800", "2026-W19-3"],
];

/** Times that are some, though not everything which handles them can read them. */
export const rareTimes = [
  "2026-05-06T12:00:00+16:00",
  "2026-05-06T12:00:00-23:59",
  "2026-05-06T12:00:00.123456789123456789Z",
  "1970-01-01T00:00:00Z",
  "9998-12-31T23:59:59.999999Z",
];

/** Text that the database cannot hold. */
export const unfitTexts = ["a\0b", "a\ud800b", "a\udc00b"];

/** Text that is text, whatever it does to who reads it; and days at the edges of the calendar. */
export const oddTexts = [
  ...["", " ", "\r\n", "\u202egnp.exe", "a\u200bb", "\ufeffx", "\uffff"],
  ...["👩‍👩‍👧‍👦", "𝕏", `e${"\u0301".repeat(50)}`, "'; drop table items; --"],
  ...["%_\\", "../../etc/passwd", "__proto__", "-1", "1e400", "null"],
  ...["0000-01-01", "0001-01-01", "9999-12-31", "2026-02-30", "infinity"],
  "9999-12-31T23:59:59-12:00",
];

/** JSON that is no object of fields. */
export const shapes = [
  ...["[]", "[[]]", '"text"', "7", "true", "1e999", '{"__proto__":{"a":1}}'],
  ...['{"constructor":{"prototype":1}}', '{"":1}', '{"a":1,"a":2}', '{"0":1}'],
];

/** No JSON at all. */
export const broken = [
  ...["{", "}", " ", "{'a':1}", '{"a":1,}', "NaN", "[1", '{"a":"\u0001"}', "a=1"],
  ...['{"a":1}{"a":2}', '{"a":undefined}', "\0", '"\\x"', "01", "<a/>"],
];
