import type { Client } from "@temporalio/client";
import * as cycleCounts from "../activities/cycle-counts/index.js";
import {
  clearPayloads,
  forgetRefusals,
} from "../activities/inbound/retention.js";
import * as picking from "../activities/picking/index.js";
import * as retention from "../activities/retention.js";
import type { Maintenance } from "../src/maintenance.js";
import { reconciler } from "./reconcile.js";

/** What workflows may call: the names are the functions'. */
export const activities = (
  client: Client,
  taskQueue: string,
  retentionDays: number,
) => ({
  ...cycleCounts,
  ...picking,
  ...retention,
  ...reconciler(client, taskQueue),
  clearInbound: (async () => ({
    ...(await clearPayloads(retentionDays)),
    refusals: await forgetRefusals(retentionDays),
  })) satisfies Maintenance["clearInbound"],
});
