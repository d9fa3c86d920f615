import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { z } from "zod";

/** The longest that a reader may take nothing of a file before the connection is closed. */
const STALLED_MS = 60_000;

/** An answer that is a file of any size, read while it is sent. Its route declares the media type in `files`. */
export class StreamedFile {
  readonly mediaType: string;
  readonly fileName: string;
  readonly texts: AsyncGenerator<string, void>;

  constructor(mediaType: string, fileName: string, texts: AsyncGenerator<string, void>) {
    this.mediaType = mediaType;
    this.fileName = fileName;
    this.texts = texts;
  }

  /**
   * Sends it, no faster than the caller takes it. Once it has begun, any failure closes the connection, so that a part
   * of a file is never taken for all of it.
   */
  async send(res: Response): Promise<undefined> {
    const { texts } = this;
    // A failure before the first byte is answered like any other.
    const first = await texts.next();
    res.setHeader("Content-Type", `${this.mediaType}; charset=utf-8`);
    res.setHeader("Content-Disposition", `attachment; filename="${this.fileName.replace(/[^\w.-]+/g, "_")}"`);
    res.setTimeout(STALLED_MS, () => res.destroy());
    const all = async function* () {
      yield first.value as string;
      yield* texts;
    };
    await pipeline(Readable.from(all(), { highWaterMark: 1 }), res).catch((error: NodeJS.ErrnoException) => {
      // The caller left; the access log says so.
      if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  }
}

/** The answer of a route that sends such a file. */
export const AStreamedFile = z.instanceof(StreamedFile);
