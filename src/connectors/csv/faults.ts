import { fitInto } from "../../inbound/fit.js";
import { faultOfBarcode, faultOfCode } from "../../platform/files/codes.js";
import { isSurelyFormula, unguarded } from "../../platform/files/formulas.js";
import { notDecimal, notWhole, wholeNumber, withPoint } from "../../platform/files/numbers.js";
import type { Column, Columns } from "../../platform/pushed-columns.js";
import { propertiesOfCell } from "../../sales-orders/properties.js";
import type { Row } from "./rows.js";

/** This many of the faulty rows are named; the others are counted. */
const NAMED = 4;

/** The faulty rows of a file. They are left out; the sync continues, and fails at its end. */
export class Faults {
  readonly #rows = new Map<number, string>();

  constructor(readonly url: string) {}

  add(row: number, text: string): void {
    if (!this.#rows.has(row)) this.#rows.set(row, this.#rows.size < NAMED ? text.slice(0, 90) : "");
  }

  /** The message for people; null where no row is faulty. */
  get message(): string | null {
    const count = this.#rows.size;
    if (count === 0) return null;
    const named = [...this.#rows].slice(0, NAMED).map(([row, text]) => `row ${row}: ${text}`);
    const more = count > NAMED ? [`and ${count - NAMED} more`] : [];
    return `${this.url}: wrong rows were left out (${count}): ${[...named, ...more].join(" | ")}`;
  }
}

/** The values of a row, converted for their columns; undefined for a faulty row, which is noted. */
export function fitRow(row: Row, columns: Columns, faults: Faults): Record<string, unknown> | undefined {
  if (row.fault !== null) {
    faults.add(row.number, row.fault);
    return undefined;
  }
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, text] of Object.entries(row.values)) {
    const cell = text === null ? { value: null } : cellOf(name, columns[name] as Column, text);
    if (cell.fault) wrong.push(`${name}: ${cell.fault}`);
    else values[name] = cell.value;
  }
  const fitted = fitInto(columns, values);
  wrong.push(...fitted.faults);
  if (wrong.length === 0) return fitted.values;
  faults.add(row.number, wrong.join("; "));
  return undefined;
}

interface Cell {
  value?: unknown;
  fault?: string | null;
}

/** The value of a cell, or why it has none. A column that takes several values has a bar between them. */
function cellOf(name: string, { kind }: Column, text: string): Cell {
  switch (kind) {
    case "integer":
      return wholeNumber(text) === undefined ? { fault: notWhole(text) } : { value: text };
    case "decimal": {
      const value = withPoint(text);
      return value === undefined ? { fault: notDecimal(text) } : { value };
    }
    case "textList": {
      const each = text.split("|").map((one) => textOf(name, one.trim()));
      const wrong = each.find(({ fault }) => fault);
      return wrong ?? { value: each.map(({ value }) => value) };
    }
    case "properties": {
      const cell = textOf(name, text);
      const value = cell.fault ? undefined : propertiesOfCell(cell.value as string);
      return value ? { value } : { fault: cell.fault ?? "must be written as name: value, with | between several" };
    }
    default:
      return textOf(name, text);
  }
}

const BARCODES = ["upc", "barcode_aliases"];
const CODES = ["sku", "mpn", "bin_code", "order_number"];

function textOf(name: string, text: string): Cell {
  if (isSurelyFormula(text)) return { fault: "must not be a formula" };
  const value = unguarded(text);
  if (BARCODES.includes(name)) return { value, fault: faultOfBarcode(value) };
  return { value, fault: CODES.includes(name) ? faultOfCode(value) : null };
}
