import { labelSizes, slipSizes } from "../platform/labels/sizes.js";

/** What can be printed where. Types and pure functions only. */

export const printerKinds = ["raw9100", "ipp", "printnode"] as const;
export type PrinterKind = (typeof printerKinds)[number];

const labels = ["bin_label", "item_label", "tote_label", "parcel_label"] as const;
/** On paper and on large labels; carriers draw theirs themselves. */
const pages = ["packing_slip", "picking_ticket", "parcel_slip", "carrier_label", "manifest"] as const;
export const documents = [...labels, ...pages] as const;
export type Document = (typeof documents)[number];
export type JobDocument = Document | "test_page";

export const printSizes = { ...labelSizes, ...slipSizes };
export type Size = keyof typeof printSizes;

/** Whether a document can be drawn on a size: labels on labels, pages on paper and on large labels. */
export const fits = (document: JobDocument, size: Size): boolean =>
  document === "test_page" || size in ((pages as readonly string[]).includes(document) ? slipSizes : labelSizes);

/** ZPL is for rolls. */
export const isOnRoll = (size: Size): boolean => size in labelSizes;
