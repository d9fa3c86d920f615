import type { Actor } from "../../platform/actor.js";
import type { CountCreated } from "../shapes.js";
import type { Fraction } from "./fraction.js";
import type { MadeBy } from "./shapes.js";

/** The messages of the workflow `countProgramme`. Types only, for the workflow. */

/** What its schedule starts it with. */
export interface ProgrammeStart {
  programme_id: number;
  warehouse_code: string;
}

/** Why a run made nothing. */
export interface NothingMade {
  nothing_made: "deleted" | "paused" | "warehouse_inactive";
}

/** What a run made. */
export interface MadeCounts {
  warehouse_id: number;
  counts: Pick<CountCreated, "count_id" | "bin_code">[];
  made: MadeBy;
  /** Bins that are due beside these. */
  waiting: number;
  /** Bins that were counted within their intervals, of all that have one. */
  seen: Fraction;
  /** Lines of counts without a difference. */
  right: Fraction;
  /** Who the counts are made by. */
  by: Actor;
}
