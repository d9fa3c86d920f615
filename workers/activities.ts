import type { Client } from "@temporalio/client";
import * as cycleCounts from "../activities/cycle-counts/index.js";
import {
  clearPayloads,
  forgetRefusals,
} from "../activities/inbound/retention.js";
import * as picking from "../activities/picking/index.js";
import * as retention from "../activities/retention.js";
import * as hygiene from "../activities/webhooks/hygiene.js";
import type { Config } from "../src/config.js";
import type { Maintenance } from "../src/maintenance.js";
import type { Senders } from "../src/webhooks/delivery.js";
import { reconciler } from "./reconcile.js";

/** What workflows may call: the names are the functions'. */
export const activities = (
  client: Client,
  config: Config<"worker">,
  senders: Senders,
) => ({
  ...cycleCounts,
  ...picking,
  ...retention,
  ...hygiene,
  ...senders,
  ...reconciler(client, config),
  clearInbound: (async () => {
    const days = config.inboundSourcePayloadRetentionDays;
    return {
      ...(await clearPayloads(days)),
      refusals: await forgetRefusals(days),
    };
  }) satisfies Maintenance["clearInbound"],
  reclaimDeliveries: (() =>
    hygiene.reclaimDeliveries(
      config.dispatcherInflightReclaimS,
    )) satisfies Maintenance["reclaimDeliveries"],
});
