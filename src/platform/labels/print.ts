import { inThread, type ThreadCaller } from "../concurrency/in-thread.js";
import type { DrawWork, Print } from "./draw.js";
import type { Drawing } from "./drawing.js";

export interface Printed {
  mediaType: string;
  /** The file's name with the ending of its format. */
  fileName: string;
  content: Buffer;
}

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
  const mediaType = print.format === "pdf" ? "application/pdf" : "text/plain";
  const { buffer, byteOffset, byteLength } = content;
  const fileName = `${title}.${print.format}`;
  return { mediaType, fileName, content: Buffer.from(buffer, byteOffset, byteLength) };
}
