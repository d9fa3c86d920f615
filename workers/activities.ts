import type { Client } from "@temporalio/client";
import * as approvals from "../activities/agents/approvals.js";
import { describeLabel, type LabelOptions, labelActivities } from "../activities/carriers/attempt-label.js";
import { collectionActivities, describeCollection } from "../activities/carriers/collections/attempt.js";
import { giveUpLabel } from "../activities/carriers/withdraw-label.js";
import { pushActivities } from "../activities/connectors/pushes/push-shipment.js";
import { describePush, giveUpPush } from "../activities/connectors/pushes/rows.js";
import { syncActivities } from "../activities/connectors/sync-page.js";
import {
  claimScheduledSync,
  claimSync,
  failAttempt,
  failSync,
  finishSync,
  heldSync,
  stopSync,
} from "../activities/connectors/sync-state.js";
import * as cycleCounts from "../activities/counting/index.js";
import { makeDueCounts } from "../activities/counting/programmes.js";
import * as inspections from "../activities/lots/index.js";
import type { RunningSenders } from "../activities/outbound/engine.js";
import { giveUpNotification, readDestination } from "../activities/outbound/notifications/sender.js";
import { giveUpDelivery, readPartner } from "../activities/outbound/webhooks/sending/claim.js";
import * as picking from "../activities/picking/index.js";
import { lookForReplenishment } from "../activities/picking/replenishment/look.js";
import { releaseWaitingWaves } from "../activities/picking/replenishment/waiting-waves.js";
import { releaseTemplate } from "../activities/picking/wave-templates.js";
import { describePrint, printActivities } from "../activities/printing/attempt.js";
import { giveUpPrint } from "../activities/printing/jobs.js";
import * as recalls from "../activities/recalls/index.js";
import * as returns from "../activities/returns/index.js";
import * as sandboxes from "../activities/sandboxes/index.js";
import * as transfers from "../activities/transfers/index.js";
import type { Config } from "../src/platform/config/config.js";
import { attributesMissingHere } from "../src/platform/temporal/missing-attributes.js";
import { startOfPrint } from "../src/printing/workflow.js";
import { maintenance } from "./maintenance.js";
import { performActivities } from "./perform-approved.js";
import { startSoon } from "./reconcile.js";
import { sandboxActivities } from "./sandboxes/activities.js";

/** The activities that workflows may call, under the functions' names. */
export const activities = (client: Client, config: Config<"worker">, senders: RunningSenders) => ({
  ...cycleCounts,
  makeDueCounts,
  ...picking,
  releaseTemplate,
  ...{ lookForReplenishment, releaseWaitingWaves },
  ...transfers,
  ...returns,
  ...inspections,
  ...recalls,
  ...approvals,
  ...performActivities(config),
  ...sandboxes,
  ...sandboxActivities(config),
  ...{ claimSync, claimScheduledSync, heldSync, failAttempt, failSync, finishSync, stopSync },
  ...syncActivities(config),
  ...{ describePush, giveUpPush },
  ...pushActivities(config, senders.underLock),
  ...printActivities(config),
  ...{ describePrint, giveUpPrint },
  ...labelActivities(carrierOptions(client, config), senders.underLock),
  ...{ describeLabel, giveUpLabel },
  ...collectionActivities(carrierOptions(client, config), senders.underLock),
  describeCollection,
  ...senders.activities,
  giveUpDelivery,
  readPartner,
  giveUpNotification,
  readDestination,
  attributesMissingHere: async () => attributesMissingHere(),
  ...maintenance(client, config),
});

/** What is bought of carriers is printed. */
const carrierOptions = (client: Client, config: Config<"worker">): LabelOptions => ({
  ...config,
  startPrint: ({ job_id, warehouse_id: warehouseId }) =>
    startSoon(client, config.temporalTaskQueue, { workflow: "printJob", ...startOfPrint(job_id), warehouseId }),
});
