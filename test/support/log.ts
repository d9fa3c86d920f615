import { symbols } from "pino";
import { flushRequests } from "../../api/http/request-end.js";
import { log, requestLines } from "../../src/platform/log.js";

/** A line of the log, as it is read again. */
export type Line = Record<string, unknown>;

/** What the process logs while something is done, from this level on; `work` may look at what there is so far. */
export async function logged(level: string, work: (soFar: Line[]) => Promise<unknown>): Promise<Line[]> {
  // Not those of requests that ended before.
  flushRequests();
  const lines: Line[] = [];
  const pino = log as unknown as Record<symbol, unknown>;
  const before = { level: log.level, stream: pino[symbols.streamSym], write: requestLines.write };
  const write = (text: string) =>
    lines.push(
      ...text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ) > 0;
  pino[symbols.streamSym] = { write };
  requestLines.write = write;
  log.level = level;
  try {
    await work(lines);
  } finally {
    log.level = before.level;
    pino[symbols.streamSym] = before.stream;
    requestLines.write = before.write;
  }
  return lines;
}
