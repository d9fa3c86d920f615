import assert from "node:assert/strict";
import { decodeIpp, encodeIpp, groups } from "../../src/printing/devices/ipp-message.js";
import { ippAnswer, readIpp } from "../support/printers.js";

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ""), "hex");

describe("messages of IPP", () => {
  it("are encoded as in RFC 8010, A.1", () => {
    const encoded = encodeIpp({
      operation: 0x0002,
      requestId: 1,
      attributes: [
        { name: "printer-uri", syntax: "uri", values: ["ipp://printer.example.com/ipp/print/pinetree"] },
        { name: "job-name", syntax: "name", values: ["foobar"] },
        { name: "copies", syntax: "integer", values: [20] },
        { name: "requested-attributes", syntax: "keyword", values: ["job-id", "job-state"] },
      ],
      data: Buffer.from("%!PDF"),
    });
    const expected = [
      "01 01 0002 00000001 01",
      `47 0012 ${of("attributes-charset")} 0005 ${of("utf-8")}`,
      `48 001b ${of("attributes-natural-language")} 0002 ${of("en")}`,
      `45 000b ${of("printer-uri")} 002c ${of("ipp://printer.example.com/ipp/print/pinetree")}`,
      `42 0008 ${of("job-name")} 0006 ${of("foobar")}`,
      `21 0006 ${of("copies")} 0004 00000014`,
      `44 0014 ${of("requested-attributes")} 0006 ${of("job-id")} 44 0000 0009 ${of("job-state")}`,
      `03 ${of("%!PDF")}`,
    ].join(" ");
    assert.equal(encoded.toString("hex"), hex(expected).toString("hex"));
    assert.equal(readIpp(encoded).data.toString(), "%!PDF");
  });

  const of = (text: string) => Buffer.from(text).toString("hex");

  it("are decoded, with several values, booleans, text in a language, and what is not known", () => {
    const answer = decodeIpp(
      hex(
        `02 00 0000 00000007 01 47 0012 ${of("attributes-charset")} 0005 ${of("utf-8")}
         35 000e ${of("status-message")} 0009 0002 ${of("en")} 0003 ${of("yes")}
         04 22 0003 ${of("yes")} 0001 01 22 0002 ${of("no")} 0001 00
         44 0001 ${of("k")} 0001 ${of("a")} 44 0000 0001 ${of("b")} 31 0001 ${of("d")} 0002 0102 03`,
      ),
    );
    assert.deepEqual([answer.status, answer.requestId], [0, 7]);
    assert.deepEqual(
      answer.groups.map(({ tag, attributes }) => [tag, Object.fromEntries(attributes)]),
      [
        [groups.operation, { "attributes-charset": ["utf-8"], "status-message": ["yes"] }],
        [groups.printer, { yes: [true], no: [false], k: ["a", "b"], d: [Buffer.from([1, 2])] }],
      ],
    );
  });

  it("are refused wherever they are cut off", () => {
    const whole = ippAnswer(1, 0, { tag: 2, of: { "job-id": [7], "job-state-reasons": ["none", "aborted"] } });
    assert.equal(decodeIpp(whole).groups[1]?.attributes.get("job-id")?.[0], 7);
    for (let length = 0; length < whole.length; length++)
      assert.throws(() => decodeIpp(whole.subarray(0, length)), RangeError, `${length}`);
    assert.throws(() => decodeIpp(hex("01 01 0000 00000001 44 0001 61 0001 62 03")), RangeError);
  });
});
