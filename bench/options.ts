import { parseArgs } from "node:util";
import { cases, desk, floor, hot, orderFlow, programs } from "./cases/index.js";
import { houseOf, type Size, sizeOf } from "./data.js";
import type { Effort } from "./run.js";

/** What is measured besides the cases, with figures of its own. */
export const START = "start";
export const WEBHOOKS = "webhooks";
export const CHANNELS = "channels";
export const CONTENTION = "contention";
export const SYNC = "sync";
export const LABELS = "buy labels";

export interface Options {
  /** Names of cases, and of what is measured besides. */
  wanted: string[];
  /** The services that are measured, each with a warehouse of that many times the smallest. */
  warehouses: { times: number; size: Size }[];
  effort: Effort;
  /** The part that is done of what is measured besides the cases. */
  besides: number;
  json: boolean;
  quick: boolean;
  turns: boolean;
  house: number | undefined;
  against: string | undefined;
  seconds: number;
  page: Page | undefined;
}

/** Of what is published: parts that this run measures, and the folder of the pages. */
interface Page {
  parts: Part[];
  docs: string;
}

/** A part has a file of figures. */
export type Part = keyof typeof published | "house";

const namesOf = (some: { name: string }[]) => some.map((it) => it.name);
const names = [START, WEBHOOKS, CHANNELS, CONTENTION, SYNC, LABELS, ...namesOf(cases)];
const published = {
  floor: namesOf([...floor, ...desk, ...programs, orderFlow]),
  events: [WEBHOOKS, CHANNELS],
  contention: [CONTENTION],
};

type Thoroughness = Pick<Options, "effort" | "besides">;
const USUAL: Thoroughness = { effort: { rounds: 3, share: 1 }, besides: 1 };
/** One run, so that none is picked out of several; all of it within ten minutes. */
const PUBLISHED: Thoroughness = { effort: { rounds: 1, share: 1 }, besides: 0.5 };
const QUICK: Thoroughness = { effort: { rounds: 1, share: 0.01 }, besides: 0.01 };

/** Ends the program where something is asked for that is not there. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      json: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      page: { type: "boolean", default: false },
      docs: { type: "string", default: "docs" },
      house: { type: "string" },
      against: { type: "string" },
      seconds: { type: "string", default: "20" },
      turns: { type: "boolean", default: false },
    },
  });
  const { json, quick, turns, against } = values;
  const house = values.house === undefined ? undefined : Number(values.house);
  const parts = house ? { house: namesOf(hot) } : published;
  const offered = values.page ? Object.keys(parts) : names;
  const only = values.only?.split(",") ?? (values.page ? offered : house ? namesOf(hot) : names);
  const unknown = only.filter((name) => !offered.includes(name));
  if (unknown.length > 0) {
    console.error(`No ${unknown.join(", ")}; there is ${offered.join(", ")}`);
    process.exit(64);
  }
  const large = house ? { times: house, size: houseOf(house) } : { times: 100, size: sizeOf(100) };
  const isSmall = quick || turns || (values.page && !house);
  return {
    wanted: values.page ? Object.entries(parts).flatMap(([part, its]) => (only.includes(part) ? its : [])) : only,
    warehouses: [{ times: 1, size: sizeOf(1) }, ...(isSmall ? [] : [large])],
    ...(quick ? QUICK : values.page && !house ? PUBLISHED : USUAL),
    ...{ json, quick, turns, house, against, seconds: Number(values.seconds) },
    page: values.page ? { parts: only as Part[], docs: values.docs } : undefined,
  };
}
