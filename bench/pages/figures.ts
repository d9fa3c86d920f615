import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { SeedsTried } from "../../simulate/seeds.js";
import type { Measured } from "../../src/launcher/measured.js";
import type { Channels } from "../channels.js";
import type { Contended } from "../contention.js";
import type { Size } from "../data.js";
import type { ListRow } from "../lists.js";
import type { Row } from "../report.js";
import type { Webhooks } from "../webhooks.js";

/** What the pages are made of: a file of `docs/figures/` each, written by the program that measured it. */
export interface Published {
  floor?: Measured<Row[]>;
  events?: Measured<Events>;
  contention?: Measured<Contended[]>;
  /** By fault, the seconds until everybody worked again. */
  recovery?: Measured<Record<string, number>>;
  simulation?: Measured<SeedsTried>;
  /** The smallest first. */
  houses: Measured<House>[];
}

export interface Events {
  webhooks: Webhooks;
  channels: Channels;
}

/** A house of that many orders, beside the smallest warehouse. */
export interface House {
  times: number;
  small: Size;
  large: Size;
  rows: Row[];
  lists: { asked: number; within_30_ms: number; slowest: ListRow[] };
}

export function readFigures(docs: string): Published {
  const folder = `${docs}/figures`;
  const read = (name: string) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const [houses, others] = [names.filter(isHouse), names.filter((name) => !isHouse(name))];
  return {
    ...Object.fromEntries(others.map((name) => [name.replace(".json", ""), read(name)])),
    houses: houses.map(read).sort((a, b) => a.figures.times - b.figures.times),
  };
}

const isHouse = (name: string) => name.startsWith("house-");
