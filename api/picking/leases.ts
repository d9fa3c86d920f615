import { z } from "zod";
import * as activities from "../../activities/picking/leases.js";
import { BatchLeased, BatchOfAnother, NoLease } from "../../src/picking/leases/problems.js";
import { leasedTasks } from "../../src/picking/leases/queries.js";
import { EndedLease, LeaseRequest, LeaseToGiveBack, PickLease } from "../../src/picking/leases/shapes.js";
import { BatchNotActive, BatchNotFound, BatchWaits } from "../../src/picking/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { floor, page, route } from "../http/route.js";

/** Waves on devices that go on without the net: docs/offline.md. */

const BatchPath = z.strictObject({ batch_id: field.BatchIdParam });

export const leasePickBatch = route("post /api/picking/batch/:batch_id/lease", {
  for: floor("pick"),
  summary: "Gives a batch to a device with all that it needs without the net, or renews its lease",
  params: BatchPath,
  body: LeaseRequest,
  answers: { 200: PickLease },
  errors: [BatchNotFound, BatchNotActive, BatchWaits, BatchLeased, BatchOfAnother],
  run: async ({ params, body, by }) => {
    const lease = await activities.takeLease(params.batch_id, body, by);
    return { ...lease, tasks: await leasedTasks(params.batch_id) };
  },
});

export const giveBackPickLease = route("post /api/picking/batch/:batch_id/give-back-lease", {
  for: floor("pick"),
  summary: "Gives the lease of a batch back, with whose device nothing more is done",
  params: BatchPath,
  body: LeaseToGiveBack,
  answers: { 200: EndedLease },
  errors: [BatchNotFound, BatchNotActive, NoLease],
  run: ({ params, body, by }) => activities.giveLeaseBack(params.batch_id, body, by),
});

export const endPickLease = route("post /api/admin/pick-batches/:batch_id/end-lease", {
  for: page("picking-batches"),
  summary: "Ends the lease of a batch: what its device did without the net and sends later is refused",
  params: BatchPath,
  answers: { 200: EndedLease },
  errors: [BatchNotFound, BatchNotActive, NoLease],
  run: ({ params, by }) => activities.endLease(params.batch_id, by),
});
