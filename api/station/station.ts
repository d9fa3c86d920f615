import type { Response } from "express";
import { z } from "zod";
import * as activities from "../../activities/station/ship.js";
import { voidShipment } from "../../activities/station/void-ship.js";
import type { Token } from "../../src/auth/tokens/token.js";
import type { Actor } from "../../src/platform/actor.js";
import { AmbiguousBarcode } from "../../src/platform/barcodes/problems.js";
import { sqlState } from "../../src/platform/db/db.js";
import { asDispatchProblem, KeyReused } from "../../src/platform/dispatch-problem.js";
import { OrderHasRecalled } from "../../src/recalls/problems.js";
import { StationSerialsMissing } from "../../src/serials/problems.js";
import { NotInClosedParcel, OrderInParcels } from "../../src/shipping/parcels/problems.js";
import {
  AlreadyShipped,
  InvalidSoNumber,
  KeyLockTimeout,
  NotInShippableStatus,
  NotShipped,
  StationHasReturns,
  StationNotFound,
  StationNothingToShip,
  StationOrderHeld,
  StationShortfall,
  UnknownOperator,
  unknownOrder,
} from "../../src/station/problems.js";
import { stationItem, stationOrder } from "../../src/station/queries.js";
import { Shipment, Shipped, StationItem, StationOrder, Voided, Voiding } from "../../src/station/shapes.js";
import { runUnderBodyKey, underBodyKey } from "../http/body-key.js";
import { dispatch, route } from "../http/route.js";
import type { CountRequest } from "../http/shared-limit.js";

/** The shipping station: docs/interface.md, Shipping station. */

/** Shops use any characters in order numbers, slashes and blanks too. An unprintable number is refused. */
const OWN_NUMBER = /^[!-~\u00a1-\uffff](?:[ -~\u00a0-\uffff]{0,126}[!-~\u00a1-\uffff])?$/;
const Numbered = z.strictObject({
  so_number: z
    .string()
    .meta({ pattern: OWN_NUMBER.source, minLength: 1, maxLength: 128, examples: ["SO-1001"] })
    .describe("Number of the sales order, unique."),
});

const checked = ({ so_number }: z.output<typeof Numbered>): string => {
  if (!OWN_NUMBER.test(so_number)) throw InvalidSoNumber();
  return so_number;
};

const station = dispatch("station.dispatch");
const KEY_HOURS = 72;

export const getStationOrder = route("get /api/v1/station/orders/:so_number", {
  for: station,
  summary: "An order by its number, in any status",
  perMinute: 60,
  params: Numbered,
  answers: { 200: StationOrder },
  errors: unknownOrder,
  run: async ({ params, token }) => {
    const order = await stationOrder(checked(params), token.warehouse_ids);
    if (!order) throw StationNotFound();
    return order;
  },
});

export const shipAtStation = route("post /api/v1/station/orders/:so_number/ship", {
  for: station,
  summary: "Ships an order: records tracking, carrier and who did it",
  perMinute: 30,
  repeatsAreFree: true,
  params: Numbered,
  body: Shipment,
  answers: { 200: Shipped },
  errors: [
    ...unknownOrder,
    ...[UnknownOperator, KeyReused, KeyLockTimeout],
    ...[AlreadyShipped, NotInShippableStatus, StationOrderHeld, StationShortfall, StationNothingToShip],
    ...[OrderHasRecalled, OrderInParcels, NotInClosedParcel].map(asDispatchProblem),
    StationSerialsMissing,
  ],
  run: ({ params, body, ...call }) => {
    const input = { ...body, so_number: checked(params) };
    return once("ship", input, call, (by) => activities.shipAtStation(input, call.token.token_name, by));
  },
});

export const voidStationShipment = route("post /api/v1/station/orders/:so_number/void-ship", {
  for: station,
  summary: "Voids the newest shipment of an order, which is as before it then",
  perMinute: 10,
  repeatsAreFree: true,
  params: Numbered,
  body: Voiding,
  answers: { 200: Voided },
  errors: [...unknownOrder, ...[UnknownOperator, KeyReused, KeyLockTimeout], ...[NotShipped, StationHasReturns]],
  run: ({ params, body, ...call }) => {
    const input = { ...body, so_number: checked(params) };
    return once("void-ship", input, call, (by) => voidShipment(input, call.token.token_name, by));
  },
});

export const getStationItem = route("get /api/v1/station/items/:barcode", {
  for: station,
  summary: "An item by UPC, alias or GS1 label, and where it is in the warehouses of the token",
  perMinute: 60,
  params: z.strictObject({
    barcode: z
      .string()
      .trim()
      .min(1)
      .max(128)
      .meta({ description: "What the scanner read.", examples: ["0400000000015"] }),
  }),
  answers: { 200: StationItem },
  errors: [StationNotFound, asDispatchProblem(AmbiguousBarcode)],
  run: async ({ params, token }) => {
    const found = await stationItem(params.barcode, token.warehouse_ids);
    if (!found) throw StationNotFound();
    return found;
  },
});

interface StationCall {
  by: Actor;
  token: Token;
  res: Response;
  countRequest: CountRequest;
}

/**
 * Runs a command of a station under its key. Keys are separate for each token, and last three days (docs/interface.md,
 * Shipping station).
 */
async function once<T>(
  operation: string,
  input: { so_number: string; idempotency_key: string },
  { token, res, countRequest, ...call }: StationCall,
  run: (by: Actor) => Promise<T>,
): Promise<T> {
  const { idempotency_key: key } = input;
  const validUntil = new Date(Date.now() + KEY_HOURS * 3_600_000).toISOString();
  const by = underBodyKey(
    call.by,
    { prefix: `station:${token.token_id}`, key, validUntil },
    { operation, body: input },
  );
  try {
    return await runUnderBodyKey({ by, res, countRequest, refuseReuse: () => KeyReused() }, () => run(by));
  } catch (error) {
    // Another request holds the lock of the key, or of the order.
    throw sqlState(error) === "55P03" ? KeyLockTimeout() : error;
  }
}
