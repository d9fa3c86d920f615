/** An answer that is JSON already: a text, or its bytes. */
export class JsonText {
  constructor(readonly text: string | Buffer) {}
}
