import { randomUUID } from "node:crypto";
import type { Actor } from "../src/platform/actor.js";
import { type Connection, type RequestLine, request } from "./connection.js";
import type { BenchService, Somebody } from "./service.js";
import type { Program } from "./shop.js";

/** One piece of work, which can be done once. */
export interface Work {
  /** As a client of the service does it. */
  served(to: Connection): Promise<unknown>;
  /** The same statements straight from this process, in the same transactions: what is left without HTTP. */
  directly(): Promise<unknown>;
}

/** What is measured. */
export interface Case {
  name: string;
  /** How many works a run of all connections does. */
  works: number;
  /** How many connections a full load is; 16 when it is not said. */
  connections?: number;
  /** How many milliseconds each connection lets pass between two works; none when it is not said. */
  pauseMs?: number;
  /** What one work counts as in the figures per second; 1 when it is not said. */
  counts?: number;
  /** Makes so many works, with all the rows that they need. */
  prepare(service: BenchService, count: number): Promise<Work[]>;
}

/** A work that is one request. */
export function call(
  who: Somebody | Program | undefined,
  line: RequestLine,
  body: unknown,
  directly: () => Promise<unknown>,
): Work {
  const isProgram = who && "plaintext" in who;
  const bytes = isProgram ? request(line, who.plaintext, body, "x-wms-token:") : request(line, who?.token, body);
  return { served: (to) => to.send(bytes), directly };
}

/** The same person with a new command. */
export const anew = (by: Actor): Actor => ({ ...by, commandId: randomUUID() });

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Numbers from 1 to `of`, scattered, each as often as any other. */
export const scattered = (i: number, of: number) => ((i * 7919) % of) + 1;

export const connectionsOf = (it: Case): number => it.connections ?? 16;
