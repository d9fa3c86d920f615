import type { Client } from "@temporalio/client";
import * as cycleCounts from "../activities/cycle-counts/index.js";
import * as picking from "../activities/picking/index.js";
import * as retention from "../activities/retention.js";
import { reconciler } from "./reconcile.js";

/** What workflows may call: the names are the functions'. */
export const activities = (client: Client, taskQueue: string) => ({
  ...cycleCounts,
  ...picking,
  ...retention,
  ...reconciler(client, taskQueue),
});
