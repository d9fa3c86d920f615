import type { NewSheet } from "./drawing.js";
import { LINE, wrap } from "./fit.js";
import { printable } from "./font.js";
import type { Sheet } from "./sheet.js";

/** From this width in millimetres a page is a sheet; below, it is a roll, on which everything is smaller. */
const NARROW = 150;

/** What stands on top of the first page. */
interface Letterhead {
  title: string;
  company_name: string;
  company_address: string;
  barcode: string;
  /** A fact without a value is left out. */
  facts: [name: string, value: string | null][];
}

/** An address or the like, between two fractions of the width. */
interface Block {
  title: string;
  lines: string[];
  left: number;
  right: number;
}

/** A column of a table, between two fractions of the width. */
export interface PrintedColumn {
  title: string;
  left: number;
  right: number;
  align?: "right";
}

/** A document of as many pages as it needs, filled from the top to the bottom. */
export class Pages {
  readonly #pages: Sheet[] = [];
  readonly #newSheet: NewSheet;
  readonly #number: string;
  readonly #again: string;
  readonly #columns: PrintedColumn[];
  /** Of usual text. */
  readonly size: number;
  #page: Sheet;
  /** The position of the next line. */
  #y = 0;

  /**
   * @param number What it is about, at the foot of each page.
   * @param again What stands above the table where it goes on.
   */
  constructor(newSheet: NewSheet, number: string, again: string, columns: PrintedColumn[]) {
    this.#newSheet = newSheet;
    this.#number = number;
    this.#again = again;
    this.#columns = columns;
    this.#page = this.#begin();
    this.size = this.#isNarrow ? 2.7 : 3.4;
  }

  get #isNarrow(): boolean {
    return this.#page.size.width < NARROW;
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
    return height - margin - this.size * LINE * 1.5;
  }

  head({ title, company_name, company_address, barcode, facts }: Letterhead): void {
    const { size } = this;
    const large = { size: size * 1.9, weight: "bold", top: true } as const;
    this.#page.write(this.#box(size * 5, 0.62), title, { ...large, align: "right" });
    const style = { ...large, size: size * 1.6, lines: 2 };
    const company = this.#page.write(this.#box(size * 5, 0, 0.6), company_name, style);
    this.#y += Math.max(company, size * 2.5);
    for (const line of linesOf([company_address], 4))
      this.#y += this.#page.write(this.#box(size * LINE, 0, 0.6), line, { size, top: true });
    this.#y += size * 1.2;
    const narrow = this.#isNarrow;
    this.#page.barcode(narrow ? this.#box(15) : this.#box(18, 0.56), barcode);
    if (narrow) this.#y += 17;
    const began = this.#y;
    for (const [name, value] of facts) if (value) this.#fact(name, value, narrow ? 1 : 0.54);
    this.#y = Math.max(this.#y, narrow ? 0 : began + 20) + size;
  }

  #fact(name: string, value: string, right: number): void {
    const { size } = this;
    this.#page.write(this.#box(size * LINE, 0, 0.2), name, { size, top: true });
    const style = { size, lines: 2, top: true, weight: "bold" } as const;
    this.#y += this.#page.write(this.#box(size * LINE * 2, 0.2, right), value, style);
  }

  /** Blocks beside each other; one without lines is left out. */
  blocks(blocks: Block[]): void {
    const began = this.#y;
    const { size } = this;
    let ended = began;
    for (const { title, lines, left, right } of blocks.filter((block) => block.lines.length > 0)) {
      this.#y = began;
      const style = { size, top: true };
      this.#y += this.#page.write(this.#box(size * LINE, left, right), title, { ...style, size: size * 0.85 });
      for (const line of linesOf(lines, 6))
        this.#y += this.#page.write(this.#box(size * LINE * 2, left, right), line, { ...style, lines: 2 });
      ended = Math.max(ended, this.#y);
    }
    this.#y = ended + size;
  }

  /** The head of the table. */
  tableHead(): void {
    const size = this.size * 0.9;
    for (const { title, left, right, align } of this.#columns)
      this.#page.write(this.#box(size * LINE, left, right), title, {
        ...{ size, weight: "bold", top: true },
        ...(align && { align }),
      });
    this.#y += size * LINE + 0.5;
    this.#page.rule(this.#y);
    this.#y += 1;
  }

  /** A row of the table, whose first column, an item, may have further lines: `details`. */
  row(item: { sku: string; item_name: string }, others: string[], details: string[]): void {
    const { size } = this;
    const [column, ...columns] = this.#columns as [PrintedColumn, ...PrintedColumn[]];
    if (this.#y + size * LINE * 4 > this.#bottom) this.#continue();
    const style = { size, top: true };
    for (const [i, { left, right, align }] of columns.entries())
      this.#page.write(this.#box(size * LINE, left, right), others[i] ?? "", { ...style, ...(align && { align }) });
    const room = (lines: number) => this.#box(size * LINE * lines, column.left, column.right);
    this.#y += this.#page.write(room(2), item.sku, { ...style, lines: 2, weight: "bold" });
    this.#y += this.#page.write(room(2), item.item_name, { ...style, lines: 2, smallest: size * 0.85 });
    for (const detail of details) this.#detail(detail, column);
    this.#y += size * 0.5;
  }

  /** The customer's wishes for the units of a line, and their lots, uncut: a person compares them with the goods. */
  #detail(text: string, { left, right }: PrintedColumn): void {
    const size = this.size * 0.9;
    const width = (this.#page.inner.width * (right - left)) / size;
    for (const line of text.split("\n").flatMap((one) => wrap(printable(one), width, "normal"))) {
      if (this.#y + size * LINE > this.#bottom) this.#continue();
      this.#y += this.#page.write(this.#box(size * LINE, left + 0.03, right + 0.03), line, { size, top: true });
    }
  }

  #continue(): void {
    this.#begin();
    const { size } = this;
    this.#y += this.#page.write(this.#box(size * LINE), this.#again, { size });
    this.#y += size;
    this.tableHead();
  }

  /** A text after the lines, such as the company's on returns. */
  end(text: string): void {
    const size = this.size * 0.9;
    this.#page.rule(this.#y);
    this.#y += size;
    for (const paragraph of text.split("\n")) {
      for (const line of wrap(printable(paragraph), this.#page.inner.width / size, "normal")) {
        if (this.#y + size * LINE > this.#bottom) this.#begin();
        this.#y += this.#page.write(this.#box(size * LINE), line, { size, top: true });
      }
    }
  }

  /** The pages, each with its number, for which all have to be there. */
  finished(): Sheet[] {
    const size = this.size * 0.85;
    for (const [i, page] of this.#pages.entries()) {
      const foot = { ...page.part(0, 1), y: page.size.height - page.size.margin - size * LINE, height: size * LINE };
      page.write({ ...foot, width: foot.width * 0.6 }, this.#number, { size });
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
