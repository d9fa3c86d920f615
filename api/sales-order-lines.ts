import { z } from "zod";
import { adjustAllocation } from "../activities/sales-orders/allocation.js";
import {
  addLine,
  changeLine,
  deleteLine,
} from "../activities/sales-orders/lines.js";
import { checkWarehouse } from "../src/actor.js";
import { UnknownItem } from "../src/orders/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import {
  BelowProgress,
  EditForbidden,
  ItemOnOrder,
  LineHasProgress,
  NotAllocatable,
  OrderBeingPicked,
  OrderClosed,
  SoLineNotFound,
} from "../src/sales-orders/edit-problems.js";
import { lineBins } from "../src/sales-orders/line-bins.js";
import { SoNotFound } from "../src/sales-orders/problems.js";
import { Id, OrderQuantity, QueryInt, Units } from "./fields.js";
import { page, route } from "./route.js";

/** The lines of a sales order: spec 4.6, reference 03 §4. */

const params = z.strictObject({ so_id: QueryInt, so_line_id: QueryInt });
/** What any edit of a line may meet. */
const errors = [
  SoNotFound,
  WarehouseDenied,
  EditForbidden,
  SoLineNotFound,
  OrderBeingPicked,
];

export const addOrderLine = route("post /api/admin/sales-orders/:so_id/lines", {
  for: page("sales-orders"),
  summary: "Adds an item to a sales order; nothing is reserved for it",
  params: z.strictObject({ so_id: QueryInt }),
  body: z.strictObject({ item_id: Id, quantity_ordered: OrderQuantity }),
  answers: {
    201: z.strictObject({
      so_line_id: Id,
      so_id: Id,
      item_id: Id,
      sku: z.string(),
      quantity_ordered: Units,
      quantity_allocated: Units,
      quantity_picked: Units,
      quantity_packed: Units,
      quantity_shipped: Units,
      line_number: z.int(),
    }),
  },
  errors: [
    SoNotFound,
    WarehouseDenied,
    EditForbidden,
    OrderClosed,
    OrderBeingPicked,
    UnknownItem,
    ItemOnOrder,
  ],
  run: ({ params, body, by }) => addLine({ ...body, ...params }, by),
});

export const changeOrderLine = route(
  "patch /api/admin/sales-orders/:so_id/lines/:so_line_id",
  {
    for: page("sales-orders"),
    summary: "Changes the quantity of a line, not below what was done for it",
    params,
    body: z.strictObject({ quantity_ordered: OrderQuantity }),
    answers: {
      200: z.strictObject({
        so_line_id: Id,
        quantity_ordered: Units,
        released_allocation: Units,
      }),
    },
    errors: [...errors, BelowProgress],
    run: ({ params, body, by }) => changeLine({ ...body, ...params }, by),
  },
);

export const deleteOrderLine = route(
  "delete /api/admin/sales-orders/:so_id/lines/:so_line_id",
  {
    for: page("sales-orders"),
    summary: "Takes a line from a sales order",
    params,
    answers: {
      200: z.strictObject({
        so_line_id: Id,
        deleted: z.literal(true),
        released_allocation: Units,
      }),
    },
    errors: [...errors, LineHasProgress],
    run: ({ params, by }) => deleteLine(params, by),
  },
);

export const adjustLineAllocation = route(
  "patch /api/admin/sales-orders/:so_id/lines/:so_line_id/allocation",
  {
    for: page("sales-orders"),
    summary:
      "Reserves more or fewer units for a line, between what is picked and what is ordered",
    params,
    body: z.strictObject({ delta: Units }),
    answers: {
      200: z.strictObject({
        unchanged: z.literal(true).optional(),
        so_line_id: Id,
        quantity_allocated: Units,
      }),
    },
    errors: [...errors, NotAllocatable],
    run: ({ params, body, by }) => adjustAllocation({ ...body, ...params }, by),
  },
);

export const binsForLine = route(
  "get /api/admin/sales-orders/:so_id/lines/:so_line_id/available-bins",
  {
    for: page("sales-orders"),
    summary:
      "The bins in which a line's item lies; what the order itself reserved there counts as available",
    params,
    answers: {
      200: z.strictObject({
        warehouse_id: Id,
        item_id: Id,
        bins: z.array(
          z.strictObject({
            bin_id: Id,
            bin_code: z.string(),
            zone_name: z.string(),
            quantity_on_hand: Units,
            quantity_allocated: Units,
            quantity_available: Units,
            preferred_priority: z.int().nullable(),
          }),
        ),
      }),
    },
    errors: [SoNotFound, WarehouseDenied, SoLineNotFound],
    run: async ({ params, by }) => {
      const found = await lineBins(params.so_id, params.so_line_id);
      if (!found) throw SoNotFound();
      checkWarehouse(by, found.warehouse_id);
      const { item_id } = found;
      if (item_id === null) throw SoLineNotFound();
      return { ...found, item_id };
    },
  },
);
