import type { Matching } from "./matching.js";
import type { Sums } from "./movements.js";
import type { Picture } from "./picture.js";

export interface Evidence {
  before: Picture;
  after: Picture;
  /** What the events between the two pictures moved. */
  moved: Sums;
  /** Parcels, and orders as a whole, that were shipped when they were shipped already. */
  shippedTwice: string[];
  /** By the counter, less what was refunded. */
  sold: Sums;
  refunds: number;
  /** Of the counter's refunds. */
  memos: number;
  ordersIn: number;
  orders: Map<string, number>;
  backordersOpened: number;
  backorders: Map<string, number>;
  /** Events whose number was not above that of the one before. */
  outOfOrder: number;
  /** Of the partner's webhook; undefined without one. */
  partner?: Matching;
  /** Of its deliveries those that were not signed as they should be. */
  unsigned: number;
}

export interface Invariant {
  name: string;
  faults: string[];
}

export const keysOf = (...sums: Sums[]) => [...new Set(sums.flatMap((one) => one.keys()))];

const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Of an item in a warehouse: on its shelves, or picked and not yet shipped. */
export const owned = ({ onHand, inHand }: Picture, key: string): number => onHand.of(key) + inHand.of(key);

/** What must hold however a day went; each with what breaks it. */
export function checkInvariants(evidence: Evidence): Invariant[] {
  const { before, after, moved, shippedTwice, sold, refunds, memos, outOfOrder, partner, unsigned } = evidence;
  const balance = keysOf(before.onHand, after.onHand, moved, sold).flatMap((key) => {
    const should = owned(before, key) + moved.of(key) - sold.of(key);
    return should === owned(after, key) ? [] : [`warehouse and item ${key}: ${owned(after, key)} instead of ${should}`];
  });
  const held = keysOf(after.allocated, after.held).flatMap((key) => {
    const [allocated, should] = [after.allocated.of(key), after.held.of(key)];
    return allocated === should ? [] : [`warehouse and item ${key}: ${allocated} allocated, ${should} held`];
  });
  const known = total(evidence.orders);
  const knownBackorders = total(evidence.backorders);
  const { ordersIn, backordersOpened } = evidence;
  return [
    {
      name: "what was there + received + returned + refunded + adjusted + transferred - shipped - sold is there",
      faults: balance,
    },
    { name: "no stock is negative or promised twice", faults: after.negative },
    { name: "what is allocated is what open orders and transfer orders hold", faults: held },
    {
      name: "each order that came in is open, shipped or cancelled",
      faults: known === ordersIn ? [] : [`${ordersIn} came in, ${known} are there`],
    },
    {
      name: "each backorder waits, is open, shipped or cancelled",
      faults: knownBackorders === backordersOpened ? [] : [`${backordersOpened} began, ${knownBackorders} are there`],
    },
    { name: "no parcel is shipped twice, unless its shipment was voided", faults: shippedTwice },
    {
      name: "each refund at the till is one credit memo",
      faults: memos === refunds ? [] : [`${refunds} were answered, ${memos} credit memos are there`],
    },
    { name: "events are polled in their order", faults: outOfOrder === 0 ? [] : [`${outOfOrder} were not`] },
    ...(partner ? [{ name: "the partner got each event once and in order", faults: ofPartner(partner) }] : []),
    ...(partner ? [{ name: "each delivery is signed", faults: unsigned === 0 ? [] : [`${unsigned} were not`] }] : []),
  ];
}

function ofPartner({ faults, missing, unannounced }: Matching): string[] {
  return [
    ...faults,
    ...(missing > 0 ? [`${missing} event(s) never came`] : []),
    ...(unannounced > 0 ? [`${unannounced} event(s) came that nobody polled`] : []),
  ];
}
