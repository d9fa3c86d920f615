import type { Response } from "express";
import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import type { ThreadCaller } from "../../src/platform/concurrency/in-thread.js";
import type { Printed } from "../../src/platform/labels/print.js";

/** An answer that is a file. Its route declares the media types in `files`. */
export class FileAnswer implements Printed {
  readonly mediaType: string;
  readonly fileName: string;
  readonly content: Buffer;

  constructor({ mediaType, fileName, content }: Printed) {
    this.mediaType = mediaType;
    this.fileName = fileName;
    this.content = content;
  }

  send(res: Response): void {
    res.setHeader("Content-Type", this.mediaType === "text/plain" ? "text/plain; charset=utf-8" : this.mediaType);
    // Numbers and codes of records may have any character; file names have only those that all systems accept.
    const name = this.fileName.replace(/[^\w.-]+/g, "_").slice(-120);
    res.setHeader("Content-Disposition", `inline; filename="${name}"`);
    res.setHeader("Content-Length", this.content.length);
    res.end(this.content);
  }
}

/** The media types of printed documents. */
export const printouts = ["application/pdf", "text/plain"];

/** The answer of a route that gives files. */
export const AFile = z.instanceof(FileAnswer);

/** What the media types of files look like in the OpenAPI document. */
export const fileSchemas: Record<string, object> = {
  "application/pdf": { type: "string", format: "binary" },
  "text/plain": { type: "string", examples: ["^XA^CI28^FO24,24^A0N,60^FH^FDA-01^FS^XZ"] },
  "text/csv": { type: "string", examples: ["tracking_event,quantity\r\nreceiving,40\r\n"] },
  "application/ld+json": { type: "object", description: "An EPCIS 2.0 document.", additionalProperties: true },
};

/** The caller of work in a thread: one call at a time for each user, aborted when the caller has left. */
export function threadCaller({ userId }: Actor, res: Response): ThreadCaller {
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  return { key: `user ${userId}`, signal: gone.signal };
}
