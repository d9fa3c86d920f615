import { SourceError } from "../../src/connectors/connector.js";
import { DomainError } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { hasPrinter } from "../../src/printing/queries.js";
import type { PrintJob } from "../../src/printing/shapes.js";
import { print } from "../printing/jobs.js";

/** What carriers draw: labels and manifests. */

export interface Printing {
  /** Starts the workflow of a print job. */
  startPrint(job: PrintJob): Promise<void>;
}

type ToPrint = Omit<Parameters<typeof print>[0], "copies">;

/** Has it printed where a printer is set up for it; under one command id, and so once. */
export async function printOnce(what: ToPrint, of: string, { startPrint }: Printing): Promise<void> {
  if (!(await hasPrinter(what))) return;
  try {
    await startPrint(await print({ ...what, copies: 1 }, systemActor(`${of}:print`)));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

/** The file that a carrier gave; one that is empty, or too large to be stored, is asked for again. */
export function fileOf(what: string, content: Buffer | undefined, largest: number): Buffer {
  if (!content || content.length === 0) throw new SourceError(`The ${what} is empty`);
  if (content.length > largest) throw new SourceError(`The ${what} has more than ${largest / 1024} KB`);
  return content;
}
