import { readManifest } from "../carriers/collections/manifest.js";
import { CollectionNotFound } from "../carriers/collections/problems.js";
import { collectionById } from "../carriers/collections/queries.js";
import { labelById } from "../carriers/label-queries.js";
import { LabelNotFound, LabelNotStored, LabelOfOtherFormat } from "../carriers/problems.js";
import { labelFile } from "../carriers/queries.js";
import { binLabels } from "../master-data/bins/draw-labels.js";
import { binsToLabel } from "../master-data/bins/label.js";
import { itemLabels } from "../master-data/items/draw-labels.js";
import { itemsToLabel } from "../master-data/items/label.js";
import { toteLabels } from "../picking/draw-totes.js";
import { BatchNotFound } from "../picking/problems.js";
import { batchToLabel } from "../picking/tote-label.js";
import type { ThreadCaller } from "../platform/concurrency/in-thread.js";
import { db } from "../platform/db/db.js";
import type { Print } from "../platform/labels/draw.js";
import type { Drawing } from "../platform/labels/drawing.js";
import { mediaTypeOf, type Printed, print } from "../platform/labels/print.js";
import { MOST_LABELS, NothingToPrint, TooManyLabels } from "../platform/labels/shapes.js";
import { ticketPages } from "../sales-orders/draw-ticket.js";
import { refuseReturn } from "../sales-orders/fulfilment.js";
import { pickingTickets } from "../sales-orders/ticket.js";
import { slipPages } from "../shipping/packing/draw-slip.js";
import { packingSlips } from "../shipping/packing/slip.js";
import { parcelLabels } from "../shipping/parcels/draw-labels.js";
import { parcelsToLabel } from "../shipping/parcels/label.js";
import { slipsOfParcels } from "../shipping/parcels/slip.js";
import type { Document } from "./kinds.js";
import { OneRecordOnly } from "./problems.js";

/** Something that can be drawn, as its records are now. */
export interface Printable {
  /** What people call it. */
  title: string;
  /** The warehouses of its records; items are of none. */
  warehouses: number[];
  draw(how: Print, caller: ThreadCaller): Promise<Printed>;
}

export const printable = <D>(title: string, warehouses: number[], drawing: Drawing<D>, data: D): Printable => ({
  ...{ title, warehouses },
  draw: (how, caller) => print(how, title, drawing, data, caller),
});

const several = (names: string[]) =>
  names.length > 1 ? `${names[0]} and ${names.length - 1} more` : (names[0] as string);

/** Reads what is to be printed; throws where a record is unknown, or there is too much or nothing of it. */
export async function readDocument(document: Document, ids: number[], copies: number): Promise<Printable> {
  const { read, most } = kinds[document];
  if (ids.length > most) throw OneRecordOnly({ document });
  const { labels = ids.length, ...found } = await read(ids, copies);
  if (labels === 0) throw NothingToPrint();
  if (labels * copies > MOST_LABELS) throw TooManyLabels({ labels: labels * copies, most: MOST_LABELS });
  return found;
}

interface DocumentKind {
  /** The most records of a job. */
  most: number;
  /** `labels` where these are not as many as the records. */
  read(ids: number[], copies: number): Promise<Printable & { labels?: number }>;
}

const kinds: Record<Document, DocumentKind> = {
  bin_label: {
    most: MOST_LABELS,
    async read(ids) {
      const bins = await binsToLabel(ids);
      const warehouses = bins.map(({ warehouse_id }) => warehouse_id);
      return printable(several(bins.map(({ bin_code }) => bin_code)), warehouses, binLabels, bins);
    },
  },
  item_label: {
    most: MOST_LABELS,
    async read(ids) {
      const items = await itemsToLabel(ids);
      return printable(several(items.map(({ sku }) => sku)), [], itemLabels, { items, copies: 1 });
    },
  },
  tote_label: {
    most: 1,
    async read([id]) {
      const batch = await batchToLabel(id as number);
      if (!batch) throw BatchNotFound();
      const { batch_number, warehouse_id, totes } = batch;
      return { ...printable(batch_number, [warehouse_id], toteLabels, batch), labels: totes.length };
    },
  },
  /** As the carrier drew it, and once: a second one would be of the same parcel. */
  carrier_label: {
    most: 1,
    async read([id], copies) {
      const label = await labelById(id as number);
      if (!label) throw LabelNotFound();
      const file = await labelFile(label.purchase_id);
      if (!file) throw LabelNotStored({ status: label.status });
      if (copies > 1) throw TooManyLabels({ labels: copies, most: 1 });
      const { so_number, parcel_number, warehouse_id } = label;
      const title = `${so_number} / ${parcel_number}`;
      return {
        ...{ title, warehouses: [warehouse_id] },
        async draw({ format }) {
          if (format !== file.format) throw LabelOfOtherFormat({ format: file.format });
          return { mediaType: mediaTypeOf(format), fileName: `${title}.${format}`, content: file.content };
        },
      };
    },
  },
  /** As the carrier drew it, else the house's own. */
  manifest: {
    most: 1,
    async read([id]) {
      const collection = await collectionById(db, id as number);
      if (!collection) throw CollectionNotFound();
      return readManifest(collection);
    },
  },
  packing_slip: {
    most: MOST_LABELS,
    async read(ids) {
      const slips = await packingSlips(ids);
      for (const slip of slips) refuseReturn(slip);
      const warehouses = slips.map(({ warehouse_id }) => warehouse_id);
      return printable(several(slips.map(({ so_number }) => so_number)), warehouses, slipPages, slips);
    },
  },
  picking_ticket: {
    most: MOST_LABELS,
    async read(ids) {
      const tickets = await pickingTickets(ids);
      const orders = tickets.map(({ sales_order }) => sales_order);
      const warehouses = orders.map(({ warehouse_id }) => warehouse_id);
      return printable(several(orders.map(({ so_number }) => so_number)), warehouses, ticketPages, tickets);
    },
  },
  parcel_label: {
    most: MOST_LABELS,
    async read(ids) {
      const parcels = await parcelsToLabel(ids);
      const warehouses = parcels.map(({ warehouse_id }) => warehouse_id);
      return printable(several(parcels.map(({ barcode }) => barcode)), warehouses, parcelLabels, parcels);
    },
  },
  parcel_slip: {
    most: MOST_LABELS,
    async read(ids) {
      const slips = await slipsOfParcels(ids);
      const warehouses = slips.map(({ warehouse_id }) => warehouse_id);
      return printable(several(slips.map(({ barcode }) => barcode)), warehouses, slipPages, slips);
    },
  },
};
