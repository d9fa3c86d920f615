import { z } from "zod";
import * as ending from "../../activities/returns/close.js";
import { voidReturn as voidIt } from "../../activities/returns/index.js";
import * as reversal from "../../activities/returns/reverse-receipt.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Text } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { ReceiptNotAvailable, ReceiptNotFound } from "../../src/receiving/problems.js";
import * as problems from "../../src/returns/problems.js";
import { receiptsOfReturn, takeReturnId } from "../../src/returns/queries.js";
import {
  NewReturn,
  NewReturnReceipt,
  ReturnClosed,
  ReturnCreated,
  ReturnReceipt,
  ReturnReceiptReversed,
  ReturnReceived,
  ReturnVoided,
} from "../../src/returns/shapes.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import { SoNotFound, unknownSo } from "../../src/sales-orders/problems.js";
import { SerialNotInStock } from "../../src/serials/problems.js";
import type * as returns from "../../workflows/rma.js";
import { admin, page, route } from "../http/route.js";
import { runUpdate, startWithUpdate } from "../http/workflow-updates.js";
import { receiveUnits, unreceivable, workflowOfReturn } from "./receive.js";
import { tellReturn } from "./start.js";

/** Returns: docs/interface.md, Sales orders and Returns. Each is an `rma` workflow until it is received or voided. */

const params = z.strictObject({ so_id: field.SoIdParam });

export const createReturn = route("post /api/admin/sales-orders/:so_id/create-rma", {
  for: page("sales-orders"),
  summary: "Makes a return order for what a customer sends back of an order that was shipped",
  params,
  body: NewReturn,
  answers: { 201: ReturnCreated },
  errors: [
    ...unknownSo,
    problems.NotReturnable,
    problems.ItemNotOnOrder,
    problems.LineNotOfItem,
    problems.OverReturn,
    WorkflowEngineUnavailable,
  ],
  run: async ({ params, body, by, res }) => {
    const { id: soId, warehouse_id: warehouseId } = await takeReturnId(params.so_id);
    const { so_id, so_number } = await startWithUpdate<typeof returns.rma, typeof returns.created>(
      { by, res },
      "rma",
      returnWorkflowId(soId),
      {
        args: [soId, by, { ...body, original_so_id: params.so_id }],
        warehouseId,
        staticSummary: `Return ${soId} of order ${params.so_id}, by ${by.username}`,
      },
      "created",
      [],
    );
    res.setHeader("X-Service-Workflow-Id", returnWorkflowId(so_id));
    return { message: `Created return ${so_number}`, so_id, so_number };
  },
});

export const receiveReturn = route("post /api/admin/sales-orders/:so_id/receive-return", {
  for: page("sales-orders"),
  summary: "Receives units of a return into a bin; as often as goods come",
  params,
  body: NewReturnReceipt,
  answers: { 200: ReturnReceived },
  errors: unreceivable,
  run: ({ params, body, by, res }) => receiveUnits(params.so_id, body, { by, res }),
});

export const listReturnReceipts = route("get /api/admin/sales-orders/:so_id/return-receipts", {
  for: page("sales-orders"),
  summary: "What has come of a return, newest first",
  params,
  query: z.object(wholeList(ReturnReceipt)),
  answers: {
    200: z.strictObject({
      so_id: field.SoId,
      receipts: z.array(ReturnReceipt).describe("The receipts, each with the units of one item that came at one time."),
    }),
  },
  errors: unknownSo,
  run: async ({ params, by }) => {
    const found = await receiptsOfReturn(params.so_id);
    if (!found) throw SoNotFound();
    checkWarehouse(by, found.warehouse_id);
    return { so_id: found.so_id, receipts: found.receipts };
  },
});

export const reverseReturnReceipt = route("post /api/admin/sales-orders/:so_id/return-receipts/:receipt_id/reverse", {
  for: page("sales-orders"),
  destructive: true,
  summary: "Takes back a receipt of a return that was a mistake: its free units leave stock, and are expected again",
  params: params.extend({ receipt_id: field.ReceiptIdParam }),
  body: z.strictObject({ reason: Text(500, "wrong item").nullish().describe("Why, in the words of the user.") }),
  answers: { 200: ReturnReceiptReversed },
  errors: [
    ...unknownSo,
    problems.NotAReturn,
    ReceiptNotFound,
    problems.ReturnReceiptRefunded,
    ReceiptNotAvailable,
    SerialNotInStock,
  ],
  run: async ({ params, body, by }) => {
    const { warehouse_id, ...reversed } = await reversal.reverseReturnReceipt({ ...params, ...body }, by);
    tellReturn({ id: params.so_id, warehouse_id }, by);
    return reversed;
  },
});

export const closeReturn = route("post /api/admin/sales-orders/:so_id/close-return", {
  for: page("sales-orders"),
  destructive: true,
  summary: "Gives up what has not come of a return of which a part has; that may be returned anew",
  params,
  answers: { 200: ReturnClosed },
  errors: [...unknownSo, problems.NotAReturn, problems.RestNotClosable],
  run: async ({ params, by }) => {
    const { warehouse_id, ...closed } = await ending.closeReturn(params, by);
    tellReturn({ id: params.so_id, warehouse_id }, by);
    return closed;
  },
});

export const voidReturn = route("post /api/admin/sales-orders/:so_id/void-return", {
  for: admin,
  destructive: true,
  summary: "Voids a return of which nothing has come; it is listed no more",
  params,
  answers: { 200: ReturnVoided },
  errors: [
    SoNotFound,
    problems.VoidNotAReturn,
    problems.VoidHasReceipts,
    problems.VoidNotOpen,
    problems.VoidHasRefund,
    WorkflowEngineUnavailable,
  ],
  run: ({ params, by, res }) =>
    runUpdate<typeof returns.rma, typeof returns.voidIt>(
      { by, res },
      workflowOfReturn(params.so_id, by),
      "void",
      [by],
      () => voidIt(params, by),
    ),
});
