import { useQuery } from "@tanstack/react-query";
import { type DeliveryOnDevice, type PendingPutAway, Refusal } from "../../../../../client/src/index.js";
import { api } from "../../../../shared/api.js";
import { keptFor, keptOfAll } from "../../../../shared/kept.js";
import { useMe } from "../../../../shared/session.js";
import { isAnswer, SOON } from "../../../task.js";

/** What was read last, and when: what is done later is not in it. */
interface Read {
  /** When it was asked for, by the clock of the device. */
  at: number;
}
export interface Delivery extends DeliveryOnDevice, Read {}
export interface Pending extends Read {
  warehouse_id: number;
  rows: PendingPutAway[];
}

const DELIVERY = "delivery.";
/** What is older says too little of the delivery. */
const FRESH_MS = 24 * 3_600_000;
/** So many are kept; a browser has room for 5 MB. */
const MOST = 20;

const deliveryStore = (user: string, po_id: number) => keptFor<Delivery | null>(user, DELIVERY + po_id, null);
export const pendingStore = (user: string) => keptFor<Pending | null>(user, "pending", null);

/** The deliveries that somebody opened on this device, the newest first. */
export const deliveriesOf = (user: string): Delivery[] =>
  keptOfAll<Delivery>(DELIVERY)
    .filter(({ user: whose, value }) => whose === user && Date.now() - value.at < FRESH_MS)
    .map(({ value }) => value)
    .sort((one, other) => other.at - one.at);

/** Keeps one; where there is no room, instead of the oldest others. What cannot be kept is not gone on with. */
function keepDelivery(user: string, delivery: Delivery): void {
  const { po_id } = delivery.purchase_order;
  const all = keptOfAll<Delivery>(DELIVERY).filter(({ user: whose }) => whose === user);
  const others = all
    .map(({ value }) => value)
    .filter(({ purchase_order }) => purchase_order.po_id !== po_id)
    .sort((one, other) => other.at - one.at);
  const forgetOldest = () => {
    const oldest = others.pop();
    if (oldest) deliveryStore(user, oldest.purchase_order.po_id).set(null);
    return oldest !== undefined;
  };
  while (others.length >= MOST || Date.now() - (others.at(-1)?.at ?? Date.now()) > FRESH_MS) forgetOldest();
  const store = deliveryStore(user, po_id);
  do {
    try {
      store.set(delivery);
      return;
    } catch {
      store.set(null);
    }
  } while (forgetOldest());
}

/** Keeps a delivery that is open on the page, and reads it again whenever something changed. */
export function useKeepDelivery(po: string | undefined): void {
  const { external_id } = useMe();
  useQuery({
    queryKey: ["keep-delivery", external_id, po],
    enabled: po !== undefined,
    queryFn: async ({ signal }) => {
      const at = Date.now();
      const path = { barcode: po ?? "" };
      try {
        const read = await api.get("/api/receiving/po/{barcode}/offline", { path, ...SOON, signal });
        keepDelivery(external_id, { ...read, at });
      } catch (error) {
        const isOver = error instanceof Refusal && isAnswer(error);
        const { purchase_order } = deliveriesOf(external_id).find((one) => one.purchase_order.po_number === po) ?? {};
        if (isOver && purchase_order) deliveryStore(external_id, purchase_order.po_id).set(null);
      }
      return null;
    },
  });
}

/** What waits to be put away in a warehouse; the device keeps it. */
export function usePending(warehouse_id: number) {
  const { external_id } = useMe();
  const store = pendingStore(external_id);
  return useQuery({
    queryKey: ["/api/putaway/pending/{warehouse_id}", warehouse_id],
    queryFn: async ({ signal }) => {
      const at = Date.now();
      const soon = store.get()?.warehouse_id === warehouse_id ? SOON : {};
      const path = { warehouse_id };
      const { pending_items: rows } = await api.get("/api/putaway/pending/{warehouse_id}", { path, ...soon, signal });
      store.set({ warehouse_id, rows, at });
      return rows;
    },
  });
}
