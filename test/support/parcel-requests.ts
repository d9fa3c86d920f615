import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import { boxBody, closedParcel, newBox, openParcel, PARCELS } from "./parcels.js";

/** How the routes of parcels and boxes are asked. */

const BOXES = "/api/admin/boxes";
const SHIPPING = "/api/shipping/parcels";

const open = async ({ by, picked }: Floor) => {
  const { so_id, sku } = await picked();
  return { by, so_id, sku, ...(await openParcel(by, so_id, sku, 3)) };
};
const closed = async ({ by, picked }: Floor) => {
  const { so_id, sku } = await picked();
  return { by, so_id, ...(await closedParcel(by, so_id, sku, 3)) };
};
const carriage = { tracking_number: "1Z999", carrier: "UPS" };

export const parcelChanges: Record<string, (at: Floor) => Promise<Change>> = {
  [`post ${BOXES}`]: async ({ by }) => {
    const body = boxBody();
    return { by, body, other: { ...body, height_in: 7 } };
  },
  [`put ${BOXES}/:box_id`]: async ({ by }) => ({
    ...{ by, path: `${BOXES}/${(await newBox(by)).box_id}`, body: { height_in: 7 }, other: { height_in: 9 } },
  }),
  [`delete ${BOXES}/:box_id`]: async ({ by }) => ({
    ...{ by, path: `${BOXES}/${(await newBox(by)).box_id}`, body: {}, other: { again: true } },
  }),
  [`post ${PARCELS}`]: async ({ by, picked }) => {
    const { so_id } = await picked();
    const { box_id } = await newBox(by);
    return { by, body: { so_id }, other: { so_id, box_id } };
  },
  [`post ${PARCELS}/rest`]: async ({ by, picked }) => {
    const { so_id } = await picked();
    return { by, body: { so_id, weight_lbs: 3 }, other: { so_id, weight_lbs: 4 } };
  },
  [`post ${PARCELS}/:parcel_id/scan`]: async (at) => {
    const { by, parcel_id, sku } = await open(at);
    const scan = { scanned_barcode: sku };
    return {
      by,
      path: `${PARCELS}/${parcel_id}/scan`,
      body: { ...scan, quantity: 1 },
      other: { ...scan, quantity: 2 },
    };
  },
  [`post ${PARCELS}/:parcel_id/take-out`]: async (at) => {
    const { by, parcel_id } = await open(at);
    const parcel_line_id = await db.value("select parcel_line_id from parcel_lines where parcel_id = $1", [parcel_id]);
    const units = { parcel_line_id };
    return {
      by,
      path: `${PARCELS}/${parcel_id}/take-out`,
      body: { ...units, quantity: 1 },
      other: { ...units, quantity: 2 },
    };
  },
  [`post ${PARCELS}/:parcel_id/close`]: async (at) => {
    const { by, parcel_id } = await open(at);
    return { by, path: `${PARCELS}/${parcel_id}/close`, body: { weight_lbs: 3 }, other: { weight_lbs: 4 } };
  },
  [`post ${PARCELS}/:parcel_id/reopen`]: async (at) => {
    const { by, parcel_id } = await closed(at);
    return { by, path: `${PARCELS}/${parcel_id}/reopen`, body: {}, other: { again: true } };
  },
  [`post ${PARCELS}/:parcel_id/void`]: async (at) => {
    const { by, parcel_id } = await closed(at);
    return { by, path: `${PARCELS}/${parcel_id}/void`, body: { reason: "wet" }, other: { reason: "torn" } };
  },
  [`post ${SHIPPING}/ship`]: async (at) => {
    const { by, so_id, parcel_id } = await closed(at);
    const parcels = [{ parcel_id, ...carriage }];
    return { by, body: { so_id, parcels }, other: { so_id, parcels: [{ parcel_id, ...carriage, carrier: "DHL" }] } };
  },
  [`post ${SHIPPING}/:parcel_id/ship`]: async (at) => {
    const { by, parcel_id } = await closed(at);
    return { by, path: `${SHIPPING}/${parcel_id}/ship`, body: carriage, other: { ...carriage, carrier: "DHL" } };
  },
  [`post ${SHIPPING}/:parcel_id/void`]: async (at) => {
    const { by, parcel_id } = await closed(at);
    await by.ok("POST", `${SHIPPING}/${parcel_id}/ship`, carriage);
    return { by, path: `${SHIPPING}/${parcel_id}/void`, body: { reason: "wet" }, other: { reason: "torn" } };
  },
};
