import pg from "pg";
import type { DataRow } from "./client.js";

/** A column of a statement's rows. */
export interface Column {
  name: string;
  /** The id of its type. */
  type: number;
  read(text: string): unknown;
}

/** How values of a type become JSON: `read` is for those whose text is neither the JSON nor what stands in quotes. */
type Form = "bare" | "decimal" | "quoted" | "bool" | "time" | "read";

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, INT8, TEXT, VARCHAR, BPCHAR, UUID, DATE, NUMERIC, TIMESTAMPTZ } =
  pg.types.builtins;
const forms = new Map<number, Form>([
  ...[INT2, INT4, INT8].map((type): [number, Form] => [type, "bare"]),
  ...[TEXT, VARCHAR, BPCHAR, UUID, DATE, NUMERIC].map((type): [number, Form] => [type, "quoted"]),
  ...[FLOAT4, FLOAT8].map((type): [number, Form] => [type, "decimal"]),
  [BOOL, "bool"],
  [TIMESTAMPTZ, "time"],
]);

/** A column with the JSON before its values, and all of it for null. */
interface Written extends Column {
  form: Form;
  before: Buffer;
  ifNull: Buffer;
}

/** By name and type: the columns of the code are few. */
const written = new Map<string, Written>();
function writtenOf(column: Column): Written {
  const id = `${column.type} ${column.name}`;
  const known = written.get(id);
  if (known) return known;
  const form = forms.get(column.type) ?? "read";
  const name = `,${JSON.stringify(column.name)}:`;
  const before = Buffer.from(form === "quoted" || form === "time" ? `${name}"` : name);
  const made = { ...column, form, before, ifNull: Buffer.from(`${name}null`) };
  written.set(id, made);
  return made;
}

const [QUOTE, BACKSLASH, COMMA, BRACE, END, T, SPACE] = [0x22, 0x5c, 0x2c, 0x7b, 0x7d, 0x54, 0x20];
const [ZERO, NINE, POINT] = [0x30, 0x39, 0x2e];
const TRUE = Buffer.from("true");
const FALSE = Buffer.from("false");
const UTC = Buffer.from('+00:00"');
/** A comma, a brace, or what a value has more than its text. */
const MORE = 8;
const FIRST_SIZE = 65_536;
/** Buffers that were used: a new one for each list would cost more than filling it. */
const spare: Buffer[] = [];
const MOST_SPARES = 16;
const MOST_SPARE = 1_048_576;

/**
 * Rows as the JSON of their objects, written from the bytes that Postgres sends: the same JSON as that of the objects,
 * which would take three times as long to make, and once more to write.
 */
export class JsonRows {
  /** How many they are. */
  length = 0;
  #bytes = spare.pop() ?? Buffer.allocUnsafe(FIRST_SIZE);
  #end: number;
  readonly #begin: number;

  /** What stands before them. */
  constructor(opening: string) {
    this.#begin = this.#bytes.write(opening);
    this.#end = this.#begin;
  }

  /** A function that adds a row with these columns. */
  reader(columns: Column[]): (row: DataRow) => void {
    const all = columns.map(writtenOf);
    const room = all.reduce((sum, { ifNull }) => sum + ifNull.length + MORE, MORE);
    return (row) => this.#add(row, all, room);
  }

  /** All of it with what stands behind the rows, a character for each byte. No row can be added any more. */
  close(closing: string): string {
    this.#makeRoom(3 * closing.length);
    const text = this.#bytes.toString("latin1", 0, this.#end + this.#bytes.write(closing, this.#end));
    if (this.#bytes.length <= MOST_SPARE && spare.length < MOST_SPARES) spare.push(this.#bytes);
    return text;
  }

  /** The rows alone, separated by commas. */
  get text(): string {
    return this.#bytes.toString("utf8", this.#begin, this.#end);
  }

  #makeRoom(size: number): void {
    if (this.#end + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#end + size));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  #add({ bytes, start, end }: DataRow, columns: Written[], room: number): void {
    this.#makeRoom(end - start + room);
    if (this.length++ > 0) this.#bytes[this.#end++] = COMMA;
    const begin = this.#end;
    let from = start + 2;
    for (const column of columns) {
      const length = bytes.readInt32BE(from);
      from += 4;
      const to = from + Math.max(length, 0);
      if (length < 0) this.#append(column.ifNull);
      else if (!this.#writeValue(column, bytes, from, to)) {
        const json = JSON.stringify(column.read(bytes.toString("utf8", from, to)));
        this.#makeRoom(3 * json.length + end - to + room);
        // Its first quote is there already.
        this.#end += this.#bytes.write(column.form === "quoted" ? json.slice(1) : json, this.#end);
      }
      from = to;
    }
    this.#bytes[begin] = BRACE;
    this.#bytes[this.#end++] = END;
  }

  /** Writes a value from its text; false where it has to be read for that. */
  #writeValue({ form, before }: Written, bytes: Buffer, from: number, to: number): boolean {
    this.#append(before);
    switch (form) {
      case "bare":
        this.#copy(bytes, from, to);
        return true;
      case "decimal":
        // Such as `1e+20` or `-0` JSON has in other forms.
        if (!areDigits(bytes, from, to)) return false;
        this.#copy(bytes, from, to);
        return true;
      case "quoted":
        return this.#quote(bytes, from, to);
      case "bool":
        this.#append(bytes[from] === TRUE[0] ? TRUE : FALSE);
        return true;
      case "time":
        // Such as `2026-05-06 12:00:00.123456+00`.
        this.#copy(bytes, from, from + 10);
        this.#bytes[this.#end++] = T;
        this.#copy(bytes, from + 11, to - 3);
        this.#append(UTC);
        return true;
      default:
        return false;
    }
  }

  /** Writes a text and the quote behind it; nothing where a character of it has to be escaped. */
  #quote(bytes: Buffer, from: number, to: number): boolean {
    const out = this.#bytes;
    let end = this.#end;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) return false;
      out[end++] = byte;
    }
    out[end++] = QUOTE;
    this.#end = end;
    return true;
  }

  #append(bytes: Buffer): void {
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** In a loop: for a part of a buffer, and so few bytes, a call of `copy` takes longer. */
  #copy(bytes: Buffer, from: number, to: number): void {
    const out = this.#bytes;
    let end = this.#end;
    for (let at = from; at < to; at++) out[end++] = bytes[at] as number;
    this.#end = end;
  }
}

/** Whether these bytes are digits and points alone. */
function areDigits(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if ((byte < ZERO || byte > NINE) && byte !== POINT) return false;
  }
  return true;
}
