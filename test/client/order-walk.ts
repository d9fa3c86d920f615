/**
 * What a program does with the client. It is compiled by test/client/client.test.ts, against the package as others
 * install it, and stands outside of the build.
 */
import { createWarehouseClient, type WarehouseClient } from "warehouse-client";
import { verifyWebhook } from "warehouse-client/webhooks";

/** An order from an empty warehouse to the carrier; it gives the order's status at each desk. */
export async function walkOrder(baseUrl: string, username: string, password: string): Promise<string[]> {
  let token: string | undefined;
  const api = createWarehouseClient({ baseUrl, token: () => token });
  token = (await api.post("/api/auth/login", { body: { username, password } })).token;

  const { warehouse_id } = await api.post("/api/admin/warehouses", {
    body: { warehouse_code: "WH1", warehouse_name: "Columbus" },
  });
  const zone = { warehouse_id, zone_code: "A", zone_name: "Aisle zone A", zone_type: "STORAGE" } as const;
  const { zone_id } = await api.post("/api/admin/zones", { body: zone });
  const bin = async (bin_code: string, bin_type: "Pickable" | "Staging") => {
    const body = { warehouse_id, zone_id, bin_code, bin_barcode: bin_code, bin_type };
    return (await api.post("/api/admin/bins", { body })).bin_id;
  };
  const staging = await bin("STAGE-1", "Staging");
  const shelf = await bin("A-01-02", "Pickable");
  const upc = "0400000000015";
  const { item_id } = await api.post("/api/admin/items", { body: { sku: "MUG-01", item_name: "Blue mug", upc } });

  const lines = [{ item_id, quantity_ordered: 2 }];
  const bought = await api.post("/api/admin/purchase-orders", { body: { po_number: "PO-2001", warehouse_id, lines } });
  const { po_id } = bought.purchase_order;
  const items = [{ item_id, quantity: 2, bin_id: staging }];
  const received = await api.post("/api/receiving/receive", { body: { po_id, items } });
  const move = { item_id, from_bin_id: staging, to_bin_id: shelf, quantity: 2 };
  await api.post("/api/putaway/confirm", { body: move });

  const ordered = await api.post("/api/admin/sales-orders", { body: { so_number: "SO-1001", warehouse_id, lines } });
  const { so_id } = ordered.sales_order;
  const wave = { so_ids: [so_id], warehouse_id };
  const { batch_id, first_pick } = await api.post("/api/picking/wave-create", { body: wave });
  if (!first_pick) throw new Error("the wave has no pick");
  const { pick_task_id, quantity_to_pick } = first_pick;
  const pick = { pick_task_id, scanned_barcode: upc, quantity_picked: quantity_to_pick };
  await api.post("/api/picking/confirm", { body: pick });
  const { summary } = await api.post("/api/picking/complete-batch", { body: { batch_id } });
  await api.post("/api/packing/verify", { body: { so_id, scanned_barcode: upc, quantity: 2 } });
  const packed = await api.post("/api/packing/complete", { body: { so_id } });
  const parcel = { so_id, tracking_number: "1Z999AA10123456784", carrier: "UPS" };
  await api.post("/api/shipping/fulfill", { body: parcel });
  const { sales_order } = await api.get("/api/admin/sales-orders/{so_id}", { path: { so_id } });
  return [received.po_status, ...summary.orders.map(({ status }) => status), packed.status, sales_order.status];
}

/** All items, page after page of two. */
export async function skusOf(baseUrl: string, username: string, password: string): Promise<string[]> {
  const { token } = await createWarehouseClient({ baseUrl }).post("/api/auth/login", { body: { username, password } });
  const api = createWarehouseClient({ baseUrl, token: () => token });
  const skus: string[] = [];
  for await (const { sku } of api.each("/api/admin/items", { query: { per_page: 2, sort: "sku" } })) skus.push(sku);
  return skus;
}

/** Whether a webhook is genuine. */
export const believes = (headers: Record<string, string>, body: Uint8Array, secret: string) =>
  verifyWebhook(headers, body, [secret]);

/** The types are those of the document: what it doesn't allow doesn't compile. */
export const refusedByTheCompiler = (api: WarehouseClient) => {
  // @ts-expect-error: an item has a SKU
  void api.post("/api/admin/items", { body: { item_name: "Blue mug" } });
  const bin = { warehouse_id: 1, zone_id: 1, bin_code: "A", bin_barcode: "A" };
  // @ts-expect-error: no such type of bin
  void api.post("/api/admin/bins", { body: { ...bin, bin_type: "Cellar" } });
  // @ts-expect-error: an order has an id
  void api.get("/api/admin/sales-orders/{so_id}");
  // @ts-expect-error: no such filter
  void api.get("/api/admin/items", { query: { colour: "red" } });
  // @ts-expect-error: no list of pages
  api.each("/api/health");
  // @ts-expect-error: no such route
  void api.get("/api/admin/nothing");
};
