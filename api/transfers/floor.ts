import { floor, type Route } from "../http/route.js";
import { startPickingTransferOrder } from "./steps.js";

export const pickTransferOrder: Route = {
  ...startPickingTransferOrder,
  path: "/api/picking/transfer-orders/:to_id/start-picking",
  for: floor("pick"),
  summary: "Begins the walk for a transfer order, as any picker may",
};
