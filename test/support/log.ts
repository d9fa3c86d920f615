import { symbols } from "pino";
import { log } from "../../src/log.js";

/** A line of the log, as it is read again. */
export type Line = Record<string, unknown>;

/** What the process logs while something is done, from this level on. */
export async function logged(level: string, work: () => Promise<unknown>): Promise<Line[]> {
  const lines: Line[] = [];
  const pino = log as unknown as Record<symbol, unknown>;
  const before = { level: log.level, stream: pino[symbols.streamSym] };
  pino[symbols.streamSym] = {
    write: (text: string) => lines.push(JSON.parse(text)),
  };
  log.level = level;
  try {
    await work();
  } finally {
    log.level = before.level;
    pino[symbols.streamSym] = before.stream;
  }
  return lines;
}
