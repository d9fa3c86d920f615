import { drawing, type NewSheet } from "../../platform/labels/drawing.js";
import { LINE, wrap } from "../../platform/labels/fit.js";
import { printable } from "../../platform/labels/font.js";
import type { Sheet } from "../../platform/labels/sheet.js";
import { shownProperties } from "../../sales-orders/properties.js";
import type { PackingSlip, SlipLine } from "./slip.js";

/** From this width in millimetres a page is a sheet; below, it is a roll, on which everything is smaller. */
const NARROW = 150;

const ordered = ["Ordered", "quantity_ordered"] as const;
const counts = [ordered, ["Packed", "quantity_packed"], ["Shipped", "quantity_shipped"]] as const;
/** For an order that is being packed: the contents that the parcel will have. */
const countsAtBench = [ordered, ["Enclosed", "quantity_enclosed"]] as const;

/** The pages of packing slips. Those of each are laid out first, since each says how many there are. */
export const slipPages = drawing(import.meta.url, "slipPages", (slips: PackingSlip[], newSheet) =>
  slips.flatMap((slip) => {
    const pages = new Pages(slip, newSheet);
    pages.head();
    for (const line of slip.lines) pages.line(line);
    pages.end();
    return pages.finished();
  }),
);

class Pages {
  readonly #pages: Sheet[] = [];
  readonly #slip: PackingSlip;
  readonly #newSheet: NewSheet;
  readonly #counts: readonly (readonly [string, keyof SlipLine])[];
  /** Of usual text. */
  readonly #size: number;
  #page: Sheet;
  /** The position of the next line. */
  #y = 0;

  constructor(slip: PackingSlip, newSheet: NewSheet) {
    this.#slip = slip;
    this.#newSheet = newSheet;
    this.#counts = slip.shipped_on === null ? countsAtBench : counts;
    this.#page = this.#begin();
    this.#size = this.#page.size.width < NARROW ? 2.7 : 3.4;
  }

  #begin(): Sheet {
    this.#page = this.#newSheet();
    this.#pages.push(this.#page);
    this.#y = this.#page.size.margin;
    return this.#page;
  }

  /** A box of this height at the current position, between two fractions of the width. */
  #box(height: number, left = 0, right = 1) {
    return { ...this.#page.part(0, 1, left, right), y: this.#y, height };
  }

  /** The position of the foot. */
  get #bottom(): number {
    const { height, margin } = this.#page.size;
    return height - margin - this.#size * LINE * 1.5;
  }

  head(): void {
    const size = this.#size;
    const { company_name, company_address, barcode } = this.#slip;
    const page = this.#page;
    const title = { size: size * 1.9, weight: "bold", top: true } as const;
    page.write(this.#box(size * 5, 0.62), "Packing slip", { ...title, align: "right" });
    const company = page.write(this.#box(size * 5, 0, 0.6), company_name, { ...title, size: size * 1.6, lines: 2 });
    this.#y += Math.max(company, size * 2.5);
    for (const line of linesOf([company_address], 4))
      this.#y += page.write(this.#box(size * LINE, 0, 0.6), line, { size, top: true });
    this.#y += size * 1.2;
    const narrow = page.size.width < NARROW;
    const symbol = narrow ? this.#box(15) : this.#box(18, 0.56);
    page.barcode(symbol, barcode);
    if (narrow) this.#y += 17;
    const began = this.#y;
    for (const [name, value] of this.#facts()) this.#fact(name, value ?? "", narrow ? 1 : 0.54);
    this.#y = Math.max(this.#y, narrow ? 0 : began + 20) + size;
    this.#addresses();
    this.#columns();
  }

  #facts(): [string, string | null][] {
    const { so_number, order_date, shipped_on, ship_method, carrier, tracking_number } = this.#slip;
    const facts: [string, string | null][] = [
      ["Order", so_number],
      ["Ordered on", order_date],
      ["Shipped on", shipped_on],
      ["Ship method", ship_method],
      ["Carrier", carrier],
      ["Tracking", tracking_number],
    ];
    return facts.filter(([, value]) => value);
  }

  #fact(name: string, value: string, right: number): void {
    const size = this.#size;
    this.#page.write(this.#box(size * LINE, 0, 0.2), name, { size, top: true });
    const style = { size, lines: 2, top: true, weight: "bold" } as const;
    this.#y += this.#page.write(this.#box(size * LINE * 2, 0.2, right), value, style);
  }

  #addresses(): void {
    const { ship_to, bill_to } = this.#slip;
    const blocks = [
      { title: "Ship to", lines: ship_to, left: 0, right: 0.49 },
      { title: "Bill to", lines: bill_to, left: 0.51, right: 1 },
    ].filter(({ lines }) => lines.length > 0);
    const began = this.#y;
    const size = this.#size;
    let ended = began;
    for (const { title, lines, left, right } of blocks) {
      this.#y = began;
      const style = { size, top: true };
      this.#y += this.#page.write(this.#box(size * LINE, left, right), title, { ...style, size: size * 0.85 });
      for (const line of linesOf(lines, 6))
        this.#y += this.#page.write(this.#box(size * LINE * 2, left, right), line, { ...style, lines: 2 });
      ended = Math.max(ended, this.#y);
    }
    this.#y = ended + size;
  }

  /** The head of the table of lines. */
  #columns(): void {
    const size = this.#size * 0.9;
    const style = { size, weight: "bold", top: true } as const;
    this.#page.write(this.#box(size * LINE, 0, 0.6), "Item", style);
    for (const [i, [title]] of this.#counts.entries())
      this.#page.write(this.#box(size * LINE, ...column(i)), title, { ...style, align: "right" });
    this.#y += size * LINE + 0.5;
    this.#page.rule(this.#y);
    this.#y += 1;
  }

  line(line: SlipLine): void {
    const size = this.#size;
    if (this.#y + size * LINE * 4 > this.#bottom) this.#continue();
    const style = { size, top: true };
    for (const [i, [, count]] of this.#counts.entries())
      this.#page.write(this.#box(size * LINE, ...column(i)), String(line[count]), { ...style, align: "right" });
    const room = (lines: number) => this.#box(size * LINE * lines, 0, 0.6);
    this.#y += this.#page.write(room(2), line.sku, { ...style, lines: 2, weight: "bold" });
    this.#y += this.#page.write(room(2), line.item_name, { ...style, lines: 2, smallest: size * 0.85 });
    for (const { name, value } of shownProperties(line.properties)) this.#detail(`${name}: ${value}`);
    for (const { quantity, lot_number, expiry_date } of line.lots)
      this.#detail(`${quantity} of lot ${lot_number}${expiry_date ? `, expires ${expiry_date}` : ""}`);
    this.#y += size * 0.5;
  }

  /** The customer's wishes for the units of a line, and their lots, uncut: a person compares them with the goods. */
  #detail(text: string): void {
    const size = this.#size * 0.9;
    for (const line of text
      .split("\n")
      .flatMap((one) => wrap(printable(one), (this.#page.inner.width * 0.6) / size, "normal"))) {
      if (this.#y + size * LINE > this.#bottom) this.#continue();
      this.#y += this.#page.write(this.#box(size * LINE, 0.03, 0.63), line, { size, top: true });
    }
  }

  #continue(): void {
    this.#begin();
    const size = this.#size;
    this.#y += this.#page.write(this.#box(size * LINE), `Packing slip of order ${this.#slip.so_number}`, { size });
    this.#y += size;
    this.#columns();
  }

  /** The company's text on returns, after the lines. */
  end(): void {
    const size = this.#size * 0.9;
    this.#page.rule(this.#y);
    this.#y += size;
    for (const paragraph of this.#slip.returns_text.split("\n")) {
      for (const text of wrap(printable(paragraph), this.#page.inner.width / size, "normal")) {
        if (this.#y + size * LINE > this.#bottom) this.#begin();
        this.#y += this.#page.write(this.#box(size * LINE), text, { size, top: true });
      }
    }
  }

  finished(): Sheet[] {
    const size = this.#size * 0.85;
    for (const [i, page] of this.#pages.entries()) {
      const foot = { ...page.part(0, 1), y: page.size.height - page.size.margin - size * LINE, height: size * LINE };
      page.write({ ...foot, width: foot.width * 0.6 }, this.#slip.so_number, { size });
      const right = { ...foot, x: foot.x + foot.width * 0.62, width: foot.width * 0.38 };
      page.write(right, `Page ${i + 1} of ${this.#pages.length}`, { size, align: "right" });
    }
    return this.#pages;
  }
}

/** The lines of an address: at most as many as leave room for the table on every size. */
const linesOf = (texts: string[], most: number): string[] =>
  texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.trim())
    .slice(0, most);

/** The fractions of the width between which a count is printed. */
const column = (i: number): [number, number] => [0.62 + i * 0.13, 0.74 + i * 0.13];
