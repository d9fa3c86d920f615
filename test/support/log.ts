import { symbols } from "pino";
import { log, requestLog } from "../../src/log.js";

/** A line of the log, as it is read again. */
export type Line = Record<string, unknown>;

/** What the process logs while something is done, from this level on; `work` may look at what there is so far. */
export async function logged(level: string, work: (soFar: Line[]) => Promise<unknown>): Promise<Line[]> {
  const lines: Line[] = [];
  const loggers = [log, requestLog] as unknown as Record<symbol, unknown>[];
  const before = { level: log.level, streams: loggers.map((pino) => pino[symbols.streamSym]) };
  for (const pino of loggers) pino[symbols.streamSym] = { write: (text: string) => lines.push(JSON.parse(text)) };
  log.level = level;
  try {
    await work(lines);
  } finally {
    log.level = before.level;
    for (const [i, pino] of loggers.entries()) pino[symbols.streamSym] = before.streams[i];
  }
  return lines;
}
