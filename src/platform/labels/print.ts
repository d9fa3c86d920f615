import { inThread, type ThreadCaller } from "../concurrency/in-thread.js";
import type { DrawWork, Print } from "./draw.js";
import type { Drawing } from "./drawing.js";

export interface Printed {
  mediaType: string;
  /** The file's name with the ending of its format. */
  fileName: string;
  content: Buffer;
}

export const mediaTypeOf = (format: Print["format"]) => (format === "pdf" ? "application/pdf" : "text/plain");

/** Draws in a thread, one file of a caller at a time: text, bars and compression take much processor time. */
export async function print<D>(
  print: Print,
  title: string,
  { module, name }: Drawing<D>,
  data: D,
  caller: ThreadCaller,
): Promise<Printed> {
  const work: DrawWork = { print, title, module, name, data };
  const content = await inThread<Uint8Array>(
    { module: new URL("./draw.js", import.meta.url).href, name: "draw", data: work },
    caller,
  );
  const { buffer, byteOffset, byteLength } = content;
  const fileName = `${title}.${print.format}`;
  return { mediaType: mediaTypeOf(print.format), fileName, content: Buffer.from(buffer, byteOffset, byteLength) };
}
