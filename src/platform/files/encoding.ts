import { isAscii, isUtf8 } from "node:buffer";

/**
 * The encoding of a file. It is determined by its byte order mark, else by the first characters that are not ASCII:
 * text in Windows-1252 is hardly ever valid UTF-8 by accident.
 */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

const MARKS: [Encoding, Buffer][] = [
  ["utf-8", Buffer.from([0xef, 0xbb, 0xbf])],
  ["utf-16le", Buffer.from([0xff, 0xfe])],
  ["utf-16be", Buffer.from([0xfe, 0xff])],
];

/** The encoding by the byte order mark, and the mark's length; null without one. */
export function markOf(bytes: Buffer): { encoding: Encoding | null; length: number } {
  const [encoding, mark] = MARKS.find(([, mark]) => bytes.subarray(0, mark.length).equals(mark)) ?? [];
  return { encoding: encoding ?? null, length: mark?.length ?? 0 };
}

export const isWide = (encoding: Encoding | null): encoding is "utf-16le" | "utf-16be" =>
  encoding === "utf-16le" || encoding === "utf-16be";

/** The bytes of a file in UTF-16 as UTF-8. */
export async function* asUtf8(encoding: "utf-16le" | "utf-16be", parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const part of parts) yield Buffer.from(decoder.decode(part, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** Decides from the bytes as they come whether they are UTF-8; undecided while they are ASCII. */
export class Detector {
  #begun = Buffer.alloc(0);

  tell(bytes: Buffer): "utf-8" | "windows-1252" | null {
    const all = Buffer.concat([this.#begun, bytes]);
    const whole = all.subarray(0, all.length - unfinished(all));
    this.#begun = all.subarray(whole.length);
    if (isAscii(whole)) return null;
    return isUtf8(whole) ? "utf-8" : "windows-1252";
  }

  /** Called at the end of the file: a character that was begun and not completed. */
  get isUnfinished(): boolean {
    return this.#begun.length > 0;
  }
}

/** How many bytes at the end are the beginning of a character of UTF-8. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** What the bytes from 80 to 9F are in Windows-1252; versions of Node differ in whether their decoder knows. */
const WINDOWS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** A text whose bytes were taken for Latin-1. */
export const fromWindows = (latin1: string): string =>
  latin1.replace(/[\x80-\x9f]/g, (character) => WINDOWS[character.charCodeAt(0) - 0x80] as string);
