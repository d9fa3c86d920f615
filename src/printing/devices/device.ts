/** What is to be printed. */
export interface PrintOut {
  title: string;
  format: "pdf" | "zpl";
  content: Buffer;
  /** The same for each attempt of one run. */
  runId: string;
  /** Ends it at once. */
  signal: AbortSignal;
  /**
   * Notes that the printer may have it from now on; called before its first byte is sent. Rejects where somebody has
   * cancelled it, or another worker sends it.
   */
  handOver(): Promise<void>;
  /** Notes that the printer said that it has not taken it. */
  takeBack(): Promise<void>;
}

/** What became of something that a printer has taken. */
export type Progress = { state: "printed" } | { state: "waiting"; why: string };

/** A printer, over the wire. Methods throw `NotPrinted`. */
export interface Device {
  /** Whether it recognises a repeated request, so that one without an answer may be sent again. */
  repeatable: boolean;
  /** Sends; gives the printer's id of it, null where the printer has none and is done. */
  send(print: PrintOut): Promise<string | null>;
  /** Asks what became of it. */
  look(remoteId: string, signal: AbortSignal): Promise<Progress>;
}

/** Why something was not printed, for people. */
export class NotPrinted extends Error {
  override name = "NotPrinted";
  /** @param isFinal Whether another attempt would be in vain, or might print it twice. */
  constructor(
    message: string,
    readonly isFinal = false,
  ) {
    super(message);
  }
}

/** Nobody can know whether it was printed, so that it is not sent again unasked. */
export const maybePrinted = (why: string) =>
  new NotPrinted(`${why}: it may have been printed, so look before you have it printed again`, true);

export interface DeviceLimits {
  connectMs: number;
  /** The longest wait for the printer's answer, or for the end of the connection. */
  answerMs: number;
}

export const usualLimits: DeviceLimits = { connectMs: 5_000, answerMs: 30_000 };
