import assert from "node:assert/strict";
import {
  batchStates,
  collectionStates,
  countStates,
  fulfillmentPushStates,
  labelPurchaseStates,
  mayBecome,
  notificationStates,
  purchaseOrderStates,
  replenishmentStates,
  salesOrderStates,
  type Transitions,
  taskStates,
  transferApprovalStates,
  transferLineStates,
  transferOrderStates,
  webhookDeliveryStates,
  webhookSubscriptionStates,
} from "../../src/platform/states.js";

interface Machine {
  states: Transitions<string>;
  /** What a new row may be. */
  initial: string[];
  /** Every step there is, as `FROM > TO TO`; the spec's table in its own words. */
  steps: string[];
}

const machines: Record<string, Machine> = {
  "sales order (docs/interface.md, Sales orders)": {
    states: salesOrderStates,
    initial: ["OPEN", "WAITING_STOCK", "FRAUD_REVIEW"],
    steps: [
      // The last two are a return's (docs/interface.md, Returns).
      "OPEN > PICKED CANCELLED FRAUD_REVIEW REFUNDED PARTIALLY_RECEIVED RECEIVED",
      "PICKED > PACKED SHIPPED OPEN CANCELLED",
      "PACKED > SHIPPED PICKED OPEN CANCELLED",
      "SHIPPED > PACKED PICKED OPEN REFUNDED",
      "WAITING_STOCK > OPEN CANCELLED REFUNDED",
      "FRAUD_REVIEW > OPEN CANCELLED",
      // What came back is taken back.
      "PARTIALLY_RECEIVED > RECEIVED OPEN",
      "RECEIVED > PARTIALLY_RECEIVED OPEN",
      // What was paid for is refunded, although it never left the house.
      "CANCELLED > REFUNDED",
      "REFUNDED >",
    ],
  },
  "purchase order (docs/interface.md, Purchase orders)": {
    states: purchaseOrderStates,
    initial: ["OPEN"],
    steps: [
      "OPEN > PARTIAL RECEIVED CLOSED",
      "PARTIAL > OPEN RECEIVED CLOSED",
      "RECEIVED > OPEN PARTIAL CLOSED",
      "CLOSED > OPEN PARTIAL RECEIVED ARCHIVED",
      "ARCHIVED > OPEN PARTIAL RECEIVED CLOSED",
    ],
  },
  "pick batch (docs/interface.md, Settings)": {
    states: batchStates,
    initial: ["OPEN"],
    steps: [
      "OPEN > IN_PROGRESS COMPLETED CANCELLED",
      "IN_PROGRESS > COMPLETED CANCELLED",
      "COMPLETED >",
      "CANCELLED >",
    ],
  },
  "cycle count (docs/interface.md, Counting)": {
    states: countStates,
    initial: ["PENDING"],
    steps: [
      "PENDING > IN_PROGRESS COMPLETED VARIANCE",
      "IN_PROGRESS > COMPLETED VARIANCE",
      "COMPLETED >",
      "VARIANCE >",
    ],
  },
  "pick task (docs/interface.md, Settings)": {
    states: taskStates,
    initial: ["PENDING"],
    steps: ["PENDING > PICKED SHORT SKIPPED", "PICKED > RELEASED", "SHORT > RELEASED", "SKIPPED >", "RELEASED >"],
  },
  "replenishment task (docs/replenishment.md)": {
    states: replenishmentStates,
    initial: ["OPEN"],
    steps: ["OPEN > TAKEN CANCELLED", "TAKEN > OPEN DONE SHORT CANCELLED", "DONE >", "SHORT >", "CANCELLED >"],
  },
  "transfer order (docs/interface.md, Transfer orders)": {
    states: transferOrderStates,
    // APPROVED is a name of the interface that nothing is set to.
    initial: ["OPEN", "APPROVED"],
    steps: [
      "OPEN > PARTIALLY_PICKED AWAITING_APPROVAL CLOSED CANCELLED",
      "PARTIALLY_PICKED > OPEN AWAITING_APPROVAL CLOSED CANCELLED",
      "AWAITING_APPROVAL > OPEN PARTIALLY_PICKED CLOSED CANCELLED",
      "APPROVED >",
      "CLOSED >",
      "CANCELLED >",
    ],
  },
  "transfer order line (docs/interface.md, Transfer orders)": {
    states: transferLineStates,
    initial: ["PENDING", "SHORT_CLOSED"],
    steps: [
      "PENDING > PARTIALLY_PICKED PICKED SHORT_CLOSED",
      "PARTIALLY_PICKED > PENDING PICKED APPROVED SHORT_CLOSED",
      "PICKED > PENDING PARTIALLY_PICKED APPROVED SHORT_CLOSED",
      "APPROVED >",
      "SHORT_CLOSED >",
    ],
  },
  "transfer approval (docs/interface.md, Transfer orders)": {
    states: transferApprovalStates,
    initial: ["PENDING"],
    steps: ["PENDING > APPROVED REJECTED", "APPROVED >", "REJECTED >"],
  },
  "webhook subscription (docs/interface.md, Settings)": {
    states: webhookSubscriptionStates,
    initial: ["active"],
    steps: ["active > paused revoked", "paused > active revoked", "revoked >"],
  },
  "webhook delivery (docs/interface.md, Webhooks)": {
    states: webhookDeliveryStates,
    initial: ["pending"],
    steps: [
      "pending > in_flight failed",
      "in_flight > succeeded failed dlq pending",
      "succeeded >",
      "failed >",
      "dlq >",
    ],
  },
  "notification (docs/interface.md, Notifications)": {
    states: notificationStates,
    initial: ["pending"],
    steps: ["pending > succeeded dlq stopped", "succeeded >", "dlq >", "stopped >"],
  },
  "push of a shipment": {
    states: fulfillmentPushStates,
    initial: ["pending"],
    steps: ["pending > pushed failed skipped", "pushed >", "failed > pending", "skipped >"],
  },
  "label of a parcel (docs/carriers.md)": {
    states: labelPurchaseStates,
    initial: ["pending", "bought"],
    steps: [
      "pending > bought failed cancelled voiding",
      "bought > voiding voided",
      "failed >",
      "cancelled >",
      "voiding > voided void_failed cancelled",
      "voided >",
      "void_failed > voiding written_off",
      "written_off >",
    ],
  },
  "collection of a carrier (docs/collections.md)": {
    states: collectionStates,
    initial: ["open"],
    steps: [
      "open > manifesting cancelled",
      "manifesting > manifested manifest_failed",
      "manifested > manifesting",
      "manifest_failed > manifesting",
      "cancelled >",
    ],
  },
};

/** `["OPEN > PICKED CANCELLED"]` as `{ OPEN: Set(PICKED, CANCELLED) }`. */
function parse(steps: string[]): Map<string, Set<string>> {
  return new Map(
    steps.map((step) => {
      const [from = "", to = ""] = step.split(/ >\s*/);
      return [from, new Set(to.split(" ").filter(Boolean))];
    }),
  );
}

describe("state tables", () => {
  for (const [name, { states, initial, steps }] of Object.entries(machines)) {
    const expected = parse(steps);
    const all = Object.keys(states);

    describe(name, () => {
      it("has the states of the interface and no other", () => {
        assert.deepEqual(all.sort(), [...expected.keys()].sort());
      });

      it("allows, of all pairs, exactly the steps of the interface", () => {
        for (const from of all) {
          for (const to of all) {
            assert.equal(mayBecome(states, from, to), expected.get(from)?.has(to), `${from} to ${to}`);
          }
        }
      });

      it("reaches every state from a new row, and leads nowhere outside the table", () => {
        const reached = new Set(initial);
        for (const state of reached) {
          for (const next of states[state] ?? assert.fail(`${state} is no state`)) reached.add(next);
        }
        assert.deepEqual([...reached].sort(), all.sort());
      });
    });
  }
});
