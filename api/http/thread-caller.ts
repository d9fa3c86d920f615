import type { Response } from "express";
import type { Actor } from "../../src/platform/actor.js";
import type { Caller } from "../../src/platform/concurrency/in-thread.js";

/** For work in a thread: one at a time for each user, and none for a caller who has left. */
export function threadCaller({ userId }: Actor, res: Response): Caller {
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  return { key: `user ${userId}`, signal: gone.signal };
}
