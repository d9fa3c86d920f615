import { useMemo, useSyncExternalStore } from "react";
import { keptOnDevice, onKept } from "../../../../shared/kept.js";
import { useMe } from "../../../../shared/session.js";
import { useKept } from "../../../../shared/use-kept.js";
import type { Known } from "../../../components/look-ups.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { useNet } from "../../../kept/net.js";
import { keepScan, newsOf, noteDone, tellDone, useKeptScans } from "../../../kept/scans.js";
import type { WithoutNet } from "../../../task.js";
import { type Delivery, deliveriesOf, pendingStore } from "./deliveries.js";
import type { Bin } from "./done.js";
import { deedsOf, leftOf, type Row, rowsOf } from "./reckon.js";

/** The tasks that work on deliveries: what one did, the other reckons with, and both tell what was refused. */
export const TASKS = ["receive", "putaway"];

/** Deliveries on the device, and what was done with them: without the net, the pages go on with it. */
export function useOnDevice() {
  const { external_id, username } = useMe();
  const { warehouse } = useWarehouse();
  const { since, goAway } = useNet();
  const kept = useKeptScans();
  const text = useSyncExternalStore(onKept, () => JSON.stringify(deliveriesOf(external_id)));
  const pending = useKept(pendingStore(external_id));
  const reckoned = useMemo(() => {
    const deeds = deedsOf(kept.scans, kept.outcomes);
    const all = JSON.parse(text) as Delivery[];
    const here = all.filter(({ purchase_order }) => purchase_order.warehouse_id === warehouse.id);
    const ofHere = pending?.warehouse_id === warehouse.id ? pending : null;
    /** With what is still to come of them. */
    const deliveries = here.map((delivery) => leftOf(delivery, deeds));
    /** What is to be put away, as far as the device knows. */
    const rows = rowsOf(ofHere, here, deeds);
    return { deeds, deliveries, rows, known: knownIn(deliveries, rows, warehouse.id) };
  }, [text, kept, pending, warehouse.id]);
  const isAway = since !== null;
  const isWaiting = kept.scans.some(({ task }) => TASKS.includes(task));
  return {
    isAway,
    goAway,
    ...reckoned,
    /** What is to be told; nothing as long as some of it still waits. */
    news: isAway || isWaiting ? { done: 0, refused: [] } : newsOf(kept, TASKS),
    tellDone: () => tellDone(external_id, TASKS),
    /** Keeps what a task does without the net; `after` names what it depends on, and `then` shows that it is kept. */
    keeping: <I>(task: string, does: string, after: (done: I) => string[], then: (done: I) => void): WithoutNet<I> => ({
      ...{ isAway, goAway },
      keep: (sent) => {
        const input = { does, done: sent.input, after: after(sent.input) };
        keepScan(external_id, task, { ...sent, username, input });
        then(sent.input);
      },
      answered: (sent) => noteDone(external_id, task, { ...sent, input: { does, done: sent.input } }),
    }),
  };
}
export type OnDevice = ReturnType<typeof useOnDevice>;

function knownIn(deliveries: Delivery[], rows: Row[], warehouse_id: number): Known {
  const lines = deliveries.flatMap((delivery) => delivery.lines);
  const items = new Map<number, Known["items"][number]>();
  for (const { item_id, sku, item_name, upc } of rows)
    items.set(item_id, { item_id, sku, item_name, codes: [sku, ...(upc ? [upc] : [])] });
  for (const { item_id, sku, item_name, codes } of lines) items.set(item_id, { item_id, sku, item_name, codes });
  const bins = [
    ...deliveries.flatMap(({ receiving_bins }) => receiving_bins),
    ...lines.map((line) => ({
      bin_id: line.suggested_bin_id,
      bin_code: line.suggested_bin_code,
      bin_barcode: line.suggested_bin_barcode,
    })),
    ...rows.map((row) => ({
      bin_id: row.suggested_bin_id,
      bin_code: row.suggested_bin_code,
      bin_barcode: row.suggested_bin_code,
    })),
  ];
  const known = bins.flatMap(({ bin_id, bin_code, bin_barcode }) =>
    bin_id !== null && bin_code !== null
      ? [{ bin_id, bin_code, bin_barcode: bin_barcode ?? bin_code, warehouse_id }]
      : [],
  );
  return { items: [...items.values()], bins: known };
}

/** The receiving bin that this device used last in each warehouse. */
const docks = () => keptOnDevice<Record<number, Bin>>("dock", {});

/** It is chosen again, as long as the warehouse has it for goods that arrive. */
export function dockOf(delivery: Delivery | undefined): Bin | undefined {
  if (!delivery) return undefined;
  const dock = docks().get()[delivery.purchase_order.warehouse_id];
  return delivery.receiving_bins.find(({ bin_id }) => bin_id === dock?.bin_id);
}

/** Shelves are not remembered: what goes there is another one each time. */
export function rememberDock({ purchase_order, receiving_bins }: Delivery, bin: Bin): void {
  const dock = receiving_bins.find(({ bin_id }) => bin_id === bin.bin_id);
  if (!dock) return;
  const { bin_id, bin_code } = dock;
  docks().set({ ...docks().get(), [purchase_order.warehouse_id]: { bin_id, bin_code } });
}
