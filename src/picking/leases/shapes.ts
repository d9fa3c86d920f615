import { z } from "zod";
import { CodesOfItem } from "../../platform/barcodes/shapes.js";
import * as field from "../../platform/fields/index.js";
import { Name } from "../../platform/fields.js";
import { HeldLease } from "../held-lease.js";
import { NextPickTask } from "../shapes.js";

/** A wave that a device has with all it needs, so that it goes on without the net: docs/offline.md. */

export const LeaseRequest = z.strictObject({
  device: Name(64, "K7Q2MX").describe("What the device calls itself, each time the same."),
  take_over: z
    .boolean()
    .default(false)
    .describe("Whether to take the wave from another device or picker; what that one sends later is refused."),
});
export type LeaseRequest = z.infer<typeof LeaseRequest>;

export const TakenLease = HeldLease.extend({
  lease_id: z.uuid().describe("Names the lease in what is sent for it."),
  batch_id: field.BatchId,
  batch_number: field.BatchNumber,
});
export type TakenLease = z.infer<typeof TakenLease>;

export const LeaseToGiveBack = TakenLease.pick({ lease_id: true });
export type LeaseToGiveBack = z.infer<typeof LeaseToGiveBack>;

export const LeasedTask = NextPickTask.extend({
  codes: CodesOfItem,
}).meta({ id: "LeasedPickTask", description: "A pending task, and by which codes its item is known." });
export type LeasedTask = z.infer<typeof LeasedTask>;

export const PickLease = TakenLease.extend({
  tasks: z.array(LeasedTask).describe("What is still to be picked, in the order of picking."),
}).meta({ id: "PickLease", description: "The lease of a wave, with all that its walk needs." });
export type PickLease = z.infer<typeof PickLease>;

export const EndedLease = z
  .strictObject({
    message: field.Done,
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
  })
  .meta({ id: "EndedPickLease", description: "A lease that has ended." });
export type EndedLease = z.infer<typeof EndedLease>;
