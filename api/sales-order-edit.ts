import { z } from "zod";
import { editAddress } from "../activities/sales-orders/address.js";
import { editSalesOrder } from "../activities/sales-orders/edit.js";
import { editMemo, pushToQueue } from "../activities/sales-orders/review.js";
import { WarehouseDenied } from "../src/problem.js";
import {
  NothingToShip,
  ShipsShort,
} from "../src/sales-orders/action-problems.js";
import {
  type AddressColumn,
  addressWidths,
} from "../src/sales-orders/addresses.js";
import {
  EditForbidden,
  NotInReview,
  ReassignForbidden,
  StatusNotEditable,
  TrackingRequired,
} from "../src/sales-orders/edit-problems.js";
import { SoExists, SoNotFound } from "../src/sales-orders/problems.js";
import { type SalesOrderStatus, salesOrderStates } from "../src/states.js";
import { DayText, Edit, Id, Name, QueryInt, Text, Time } from "./fields.js";
import { page, route, signedIn } from "./route.js";

/** Editing a sales order's header: spec 4.6, reference 03 §4. */

const params = z.strictObject({ so_id: QueryInt });
const MaybeText = z.string().nullable();
const Status = z.enum(Object.keys(salesOrderStates) as SalesOrderStatus[]);
/** Text that null or "" clears. */
const Clearable = (max: number, example: string) =>
  Text(max, example).nullable();
/** A day that null or "" clears. */
const ClearableDay = z
  .union([DayText, z.literal("")])
  .nullable()
  .meta({ examples: ["2026-05-06"] });
const EditedFields = z
  .array(z.string())
  .meta({ examples: [["ship_method", "memo"]] });
const unchanged = z.literal(true);

export const editHeader = route("put /api/admin/sales-orders/:so_id", {
  for: page("sales-orders"),
  summary:
    "Edits a sales order's header; status SHIPPED ships it. A USER edits OPEN orders, with `so-full-edit` all but SHIPPED ones",
  params,
  body: Edit({
    so_number: Name(128, "SO-1001"),
    so_barcode: Clearable(128, "SO-1001"),
    customer_name: Clearable(256, "Ada Lovelace"),
    customer_phone: Clearable(64, "+44 20 7946 0000"),
    customer_email: Clearable(255, "ada@example.com"),
    customer_address: Clearable(512, "12 St James's Square, London"),
    ship_method: Clearable(100, "UPS Ground"),
    ship_address: Clearable(512, "12 St James's Square, London"),
    ship_by_date: ClearableDay,
    priority: z
      .int()
      .min(0)
      .max(10)
      .meta({ examples: [5] }),
    memo: Clearable(4096, "leave at the door"),
    source_system: Clearable(64, "shopify"),
    status: Status,
    carrier: Text(100, "UPS").trim().nullable(),
    tracking_number: Text(255, "1Z999AA10123456784").trim().nullable(),
    shipped_at: ClearableDay,
    order_origin: Clearable(64, "web"),
  }),
  answers: {
    200: z.union([
      z.strictObject({
        so_id: Id,
        so_number: z.string(),
        so_barcode: MaybeText,
        customer_name: MaybeText,
        status: Status,
        warehouse_id: Id,
        ship_method: MaybeText,
        ship_address: MaybeText,
        source_system: MaybeText,
        created_at: Time,
        edited_fields: EditedFields,
      }),
      z.strictObject({ unchanged }),
    ]),
  },
  errors: [
    SoNotFound,
    WarehouseDenied,
    EditForbidden,
    ReassignForbidden,
    SoExists,
    StatusNotEditable,
    TrackingRequired,
    ShipsShort,
    NothingToShip,
  ],
  run: ({ params, body, by }) => editSalesOrder({ ...body, ...params }, by),
});

const addressFields = Object.fromEntries(
  Object.entries(addressWidths).map(([column, width]) => [
    column,
    Clearable(width, "London"),
  ]),
) as Record<AddressColumn, ReturnType<typeof Clearable>>;

export const correctAddress = route(
  "patch /api/admin/sales-orders/:so_id/address",
  {
    for: signedIn,
    summary:
      "Corrects an order's billing and shipping address; a USER only while the order is OPEN",
    params,
    body: Edit(addressFields),
    answers: {
      200: z.union([
        z.strictObject({ so_id: Id, edited_fields: EditedFields }),
        z.strictObject({ unchanged }),
      ]),
    },
    errors: [SoNotFound, WarehouseDenied, EditForbidden],
    run: ({ params, body, by }) => editAddress({ ...body, ...params }, by),
  },
);

export const changeMemo = route("patch /api/admin/sales-orders/:so_id/memo", {
  for: page("fraud"),
  summary: "Changes an order's memo, in any status",
  params,
  body: z.strictObject({ memo: Text(4096, "called the customer") }),
  answers: {
    200: z.union([
      z.strictObject({ so_id: Id, memo: MaybeText }),
      z.strictObject({ unchanged, memo: MaybeText }),
    ]),
  },
  errors: [SoNotFound, WarehouseDenied],
  run: ({ params, body, by }) => editMemo({ ...params, memo: body.memo }, by),
});

export const releaseToQueue = route(
  "post /api/admin/sales-orders/:so_id/push-to-queue",
  {
    for: page("fraud"),
    summary: "Lets an order that is held for review be picked",
    params,
    answers: { 200: z.strictObject({ so_id: Id, status: z.literal("OPEN") }) },
    errors: [SoNotFound, WarehouseDenied, NotInReview],
    run: ({ params, by }) => pushToQueue(params, by),
  },
);
