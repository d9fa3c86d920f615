import type { InboundAttempt } from "../../../../client/src/index.js";

/** The kinds of records that can be pushed: complete, or this does not compile. */
const names: Record<InboundAttempt["resource"], true> = {
  sales_orders: true,
  purchase_orders: true,
  items: true,
  customers: true,
  vendors: true,
};
export const resources = Object.keys(names);
