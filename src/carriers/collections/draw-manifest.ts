import { drawing } from "../../platform/labels/drawing.js";
import { Pages, type PrintedColumn } from "../../platform/labels/pages.js";
import type { CollectedParcel, Collection } from "./shapes.js";

/** What the house prints where a carrier draws no manifest. */
export interface ManifestToDraw {
  company_name: string;
  company_address: string;
  collection: Collection;
  contents: CollectedParcel[];
}

const columns: PrintedColumn[] = [
  { title: "Tracking number", left: 0, right: 0.55 },
  { title: "Order", left: 0.57, right: 0.8 },
  { title: "Loaded", left: 0.82, right: 1, align: "right" },
];

/** The pages of a manifest of the house's own: each parcel with its number, and room for the driver's signature. */
export const manifestPages = drawing(import.meta.url, "manifestPages", (manifest: ManifestToDraw, newSheet) => {
  const { company_name, company_address, collection, contents } = manifest;
  const { carrier, collection_day, warehouse_code, collection_id, driver_name, signature } = collection;
  const pages = new Pages(
    newSheet,
    `${carrier}, ${collection_day}`,
    `Manifest of ${carrier}, ${collection_day}`,
    columns,
  );
  pages.head({
    ...{ title: "Manifest", company_name, company_address, barcode: `COL-${collection_id}` },
    facts: [
      ["Carrier", carrier],
      ["Day", collection_day],
      ["Warehouse", warehouse_code],
      ["Parcels", String(contents.length)],
      ["Driver", driver_name],
    ],
  });
  pages.tableHead();
  for (const { tracking_number, so_number, parcel_number, loaded_at } of contents)
    pages.row(
      { sku: tracking_number ?? "", item_name: parcel_number === null ? "" : `Parcel ${parcel_number}` },
      [so_number, loaded_at === null ? "" : "yes"],
      [],
    );
  pages.end(`Received by ${driver_name ?? "______________________"}: ${signature ?? "______________________"}`);
  return pages.finished();
});
