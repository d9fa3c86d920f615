import { mkdirSync } from "node:fs";
import { writeMeasured } from "../../src/launcher/measured.js";
import { houseOf, sizeOf } from "../data.js";
import type { Options, Part } from "../options.js";
import type { Measures, Row } from "../report.js";
import type { Events, House } from "./figures.js";
import { writePages } from "./write.js";

const SLOWEST = 10;
const PAGE_MS = 30;

/** Keeps what a run measured for the pages, and makes them anew. */
export function keepForPages(
  { parts, docs }: NonNullable<Options["page"]>,
  command: string,
  rows: Row[],
  { webhooks, channels, contention, lists = [] }: Measures,
  times = 1,
): void {
  const figures: Record<Part, unknown> = {
    floor: rows,
    events: { webhooks, channels } as Events,
    contention,
    house: {
      ...{ times, small: sizeOf(1), large: houseOf(times), rows },
      lists: {
        asked: lists.length,
        within_30_ms: lists.filter(({ first_ms }) => first_ms <= PAGE_MS).length,
        slowest: lists.slice(0, SLOWEST),
      },
    } satisfies House,
  };
  mkdirSync(`${docs}/figures`, { recursive: true });
  for (const part of parts)
    writeMeasured(`${docs}/figures/${part === "house" ? `house-${times}` : part}.json`, command, figures[part]);
  writePages(docs);
}
