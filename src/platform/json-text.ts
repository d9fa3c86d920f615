/**
 * An answer that is JSON already. With `latin1` its text has a character for each byte of it, as Postgres sent them: it
 * is neither decoded nor encoded again. A buffer would cost more, as what lies outside the heap makes the garbage
 * collector run through all of it.
 */
export class JsonText {
  constructor(
    readonly text: string,
    readonly encoding: "utf8" | "latin1" = "utf8",
  ) {}

  parsed(): unknown {
    return JSON.parse(`${Buffer.from(this.text, this.encoding)}`);
  }
}
