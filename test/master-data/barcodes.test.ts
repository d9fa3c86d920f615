import assert from "node:assert/strict";
import fc from "fast-check";
import { formsOf, gtinOf } from "../../src/platform/barcodes/gtin.js";
import { readScan } from "../../src/platform/barcodes/scan.js";
import { withCheckDigit } from "../support/gtins.js";

const GTIN = "00036000291452";
const NOTHING = {
  ...{ gtin: null, lot_number: null, expiry_date: null, best_before_date: null, production_date: null },
  ...{ packaging_date: null, serial_number: null, quantity: null, net_weight_kg: null },
};
const GS = "\u001d";

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(""));
/** GTINs of all lengths. */
const gtins = fc
  .constantFrom(8, 12, 13, 14)
  .chain((length) => digits(length - 1))
  .map(withCheckDigit)
  .filter((code) => /[1-9]/.test(code));

describe("GTINs", () => {
  it("are one, with however many zeros before them", () => {
    for (const form of ["036000291452", "0036000291452", GTIN]) assert.equal(gtinOf(form), GTIN);
    assert.deepEqual(formsOf(GTIN), ["036000291452", "0036000291452", GTIN]);
    assert.deepEqual(formsOf("00000096385074"), ["96385074", "000096385074", "0000096385074", "00000096385074"]);
  });

  it("have 8, 12, 13 or 14 digits, a check digit that fits, and more than zeros", () => {
    for (const code of [
      "36000291452",
      "000036000291452",
      "036000291453",
      "03600029145X",
      "",
      " 036000291452",
      "00000000",
    ])
      assert.equal(gtinOf(code), undefined, code);
  });

  it("equal exactly the codes among their forms", () => {
    fc.assert(
      fc.property(gtins, fc.oneof(gtins, digits(12), fc.string()), (code, other) => {
        const gtin = gtinOf(code);
        assert.ok(gtin);
        assert.ok(formsOf(gtin).includes(code));
        for (const form of formsOf(gtin)) assert.equal(gtinOf(form), gtin);
        assert.equal(formsOf(gtin).includes(other), gtinOf(other) === gtin);
      }),
    );
  });

  it("differ in each digit, the check digit included", () => {
    fc.assert(
      fc.property(gtins, fc.nat(), fc.integer({ min: 1, max: 9 }), (code, at, more) => {
        const place = at % code.length;
        const changed = [...code];
        changed[place] = String((Number(code[place]) + more) % 10);
        assert.notEqual(gtinOf(changed.join("")), gtinOf(code));
      }),
    );
  });
});

describe("a scan", () => {
  const read = (text: string) => {
    const { text: same, holds } = readScan(text);
    assert.equal(same, text);
    return holds;
  };
  const whole = { ...NOTHING, gtin: GTIN, lot_number: "LOT-7", expiry_date: "2027-12-31", serial_number: "S/1" };

  it("may be an element string with separators or parentheses, after a symbology identifier or without", () => {
    const elements = `01${GTIN}1727123110LOT-7${GS}21S/1`;
    for (const prefix of ["", "]C1", "]d2", "]Q3", "]e0", GS, `]C1${GS}`, `${GS}]d2`])
      for (const text of [elements, `${elements}${GS}`, `(01)${GTIN}(17)271231(10)LOT-7(21)S/1`])
        assert.deepEqual(read(prefix + text), whole, JSON.stringify(prefix + text));
    assert.deepEqual(read(`10LOT-7${GS}21S/1${GS}17271231${GS}01${GTIN}`), whole);
  });

  it("may be a plain GTIN after a symbology identifier", () => {
    for (const text of ["036000291452", "]E00036000291452", `]I1${GTIN}`, `01${GTIN}`, `(01)${GTIN}`])
      assert.deepEqual(read(text), { ...NOTHING, gtin: GTIN }, text);
  });

  it("may be a Digital Link of any domain and path", () => {
    for (const link of [
      `https://id.gs1.org/01/${GTIN}/10/LOT-7/21/S%2F1?17=271231`,
      `]Q1HTTP://shop.example/products/01/036000291452/22/2A/10/LOT-7/21/S%2F1?17=271231&linkType=all&3203=1`,
    ])
      assert.deepEqual(read(link), whole, link);
    for (const link of [
      "https://shop.example/",
      "https://shop.example/01",
      `https://x/01/${GTIN}/10/%E0%A4%A`,
      "http://[",
    ])
      assert.deepEqual(read(link), NOTHING, link);
  });

  it("of a carton has the GTIN and the count of its contents", () => {
    assert.deepEqual(read(`02${GTIN}3748${GS}10LOT-7`), { ...NOTHING, gtin: GTIN, lot_number: "LOT-7", quantity: 48 });
    assert.deepEqual(read(`00340123450000000000${GS}02${GTIN}370`), { ...NOTHING, gtin: GTIN });
  });

  it("keeps lot and expiry whatever other elements GS1 allows stand beside them", () => {
    const known = { ...NOTHING, gtin: GTIN, lot_number: "L7", expiry_date: "2027-12-31" };
    for (const other of [
      ...["3203001250", "3922199", "93ABC", "240XY", "241XY", "400PO-1"],
      ...["4210276", "8008261127", "90X", "99x/y", "712A"],
    ])
      for (const text of [`01${GTIN}17271231${other}${GS}10L7`, `]C1${other}${GS}01${GTIN}1727123110L7`])
        assert.deepEqual(read(text), known, JSON.stringify(text));
    assert.deepEqual(read(`(01)${GTIN}(3103)001250(17)271231(240)XY(10)L7`), { ...known, net_weight_kg: 1.25 });
    assert.deepEqual(read(`01${GTIN}15271130112601021326010310L7${GS}3012`), {
      ...{ ...NOTHING, gtin: GTIN, lot_number: "L7", quantity: 12 },
      ...{ best_before_date: "2027-11-30", production_date: "2026-01-02", packaging_date: "2026-01-03" },
    });
  });

  it("expires at the end of the month where the day is 00", () => {
    assert.equal(read(`01${GTIN}17280200`).expiry_date, "2028-02-29");
  });

  it("is a code of which nothing is known where GS1 does not allow what is in it", () => {
    for (const text of [
      ...["036000291453", "SKU-1", "10LOT-7", "", `01${GTIN.slice(0, -1)}3`, `01${GTIN}17280230`, `01${GTIN}17281300`],
      ...[`01${GTIN}17AB1231`, `01${GTIN}10${"x".repeat(21)}`, `01${GTIN}10LÖT`, `01${GTIN}21`, `01${GTIN}37x`],
      ...[`01${GTIN}05`, `(01)${GTIN}(10)`, `(01${GTIN}`, `01${GTIN}${GS}10${"1".repeat(300)}`],
    ])
      assert.deepEqual([read(text), readScan(text).forms], [NOTHING, []], JSON.stringify(text));
  });

  it("is read without a fault, whatever it is", () => {
    const part = fc.oneof(
      fc.constantFrom(GS, "]C1", "(01)", "(10)", "01", "02", "10", "17", "21", "37", "00", "31", "https://x/01/", "\0"),
      gtins,
      digits(6),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 15 }), (parts) => {
        const { forms, holds } = readScan(parts.join(""));
        assert.equal(forms.length > 0, holds.gtin !== null);
        if (holds.gtin !== null) assert.equal(gtinOf(holds.gtin), holds.gtin);
        if (holds.gtin === null) assert.deepEqual(holds, NOTHING);
        assert.ok((holds.lot_number ?? "").length <= 20 && (holds.serial_number ?? "").length <= 20);
      }),
      { numRuns: 200 },
    );
  });

  it("gives back what an element string was made of", () => {
    const text = fc.string({ unit: fc.constantFrom(..."AZaz09-/.()+%_"), minLength: 1, maxLength: 20 });
    const day = fc.date({ min: new Date("2020-01-01"), max: new Date("2060-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(gtins, text, text, day, (code, lot, serial, date) => {
        const expiry_date = date.toISOString().slice(0, 10);
        const gtin = gtinOf(code) as string;
        const label = `]C101${gtin}17${expiry_date.slice(2).replaceAll("-", "")}10${lot}${GS}21${serial}`;
        assert.deepEqual(read(label), { ...NOTHING, gtin, lot_number: lot, expiry_date, serial_number: serial });
      }),
    );
  });
});
