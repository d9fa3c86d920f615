import assert from "node:assert/strict";
import fc from "fast-check";
import { guarded, isFormula, unguarded } from "../../src/platform/files/formulas.js";

describe("text that a spreadsheet would run", () => {
  it("is guarded in files that we write, also behind what another spreadsheet takes for the end of a cell", () => {
    for (const [text, written] of [
      ["=1+1", "'=1+1"],
      ["  =1+1", "'  =1+1"],
      ["＝1+1", "'＝1+1"],
      ["x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"],
      ["x;+A1", "x;'+A1"],
      ["a\n@SUM(A1)", "a\n'@SUM(A1)"],
      ["'=1", "''=1"],
      ["-5", "-5"],
      ["+49 30", "'+49 30"],
      ["- one\n- two", "'- one\n- two"],
      ["Mug; blue", "Mug; blue"],
    ] as const)
      assert.equal(guarded(text), written);
  });

  it("comes back as it was", () => {
    const part = fc.oneof(fc.constantFrom(..."=+-@＝＋－＠';\t\r\n ,5a", "'="), fc.string());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join("");
        assert.equal(unguarded(guarded(text)), text);
        assert.ok(!/^\s*[=@＝＠]/.test(guarded(text)));
      }),
    );
  });

  it("is no number and no telephone number", () => {
    for (const text of ["+49 (0) 30/123-45", "-5", "+1.5", "a=b", "'=1", "x; -5"]) assert.ok(!isFormula(text), text);
    for (const text of ["=1", "＝1", "+A1", "-A1", "@a", "x;=1", "x\t=1", " =1"]) assert.ok(isFormula(text), text);
  });
});
