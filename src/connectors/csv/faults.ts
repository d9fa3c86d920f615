import type { Columns } from "../../inbound/columns.js";
import { fitInto } from "../../inbound/fit.js";
import type { Row } from "./rows.js";

/** As many of the rows that are wrong are named; the others are counted. */
const NAMED = 4;

/** The rows of a file that are wrong. They are left out; the sync goes on, and fails at its end. */
export class Faults {
  readonly #rows = new Map<number, string>();

  constructor(readonly url: string) {}

  add(row: number, text: string): void {
    if (!this.#rows.has(row)) this.#rows.set(row, this.#rows.size < NAMED ? text.slice(0, 90) : "");
  }

  /** For people; null where no row is wrong. */
  get message(): string | null {
    const count = this.#rows.size;
    if (count === 0) return null;
    const named = [...this.#rows].slice(0, NAMED).map(([row, text]) => `row ${row}: ${text}`);
    const more = count > NAMED ? [`and ${count - NAMED} more`] : [];
    return `${this.url}: wrong rows were left out (${count}): ${[...named, ...more].join(" | ")}`;
  }
}

/** The values of a row as their columns take them; undefined for a row that is wrong, which is noted. */
export function fitRow(row: Row, columns: Columns, faults: Faults): Record<string, unknown> | undefined {
  if (row.fault !== null) {
    faults.add(row.number, row.fault);
    return undefined;
  }
  const fitted = fitInto(columns, Object.fromEntries(Object.entries(row.values).map(listed(columns))));
  if (fitted.faults.length === 0) return fitted.values;
  faults.add(row.number, fitted.faults.join("; "));
  return undefined;
}

/** A column that takes several values has them with a bar between them. */
const listed =
  (columns: Columns) =>
  ([name, text]: [string, string | null]): [string, unknown] =>
    columns[name]?.kind === "textList" && text !== null
      ? [name, text.split("|").map((one) => one.trim())]
      : [name, text];
