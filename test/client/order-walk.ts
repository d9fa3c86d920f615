/**
 * What a program does with the client that was generated from the OpenAPI document. It is compiled beside that client
 * by test/system/client.test.ts, against its types, and stands outside of the build.
 */
import { Api } from "./service.js";

/** An order from an empty warehouse to the carrier; it gives the order's status at each desk. */
export async function walkOrder(baseUrl: string, username: string, password: string): Promise<string[]> {
  const service = new Api<string>({
    baseUrl,
    securityWorker: (token) => (token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    baseApiParams: { secure: true },
  });
  const { api } = service;
  service.setSecurityData((await api.logIn({ username, password })).data.token);

  const { warehouse_id } = (await api.createWarehouse({ warehouse_code: "WH1", warehouse_name: "Columbus" })).data;
  const zone = { warehouse_id, zone_code: "A", zone_name: "Aisle zone A", zone_type: "STORAGE" } as const;
  const { zone_id } = (await api.createZone(zone)).data;
  const bin = async (bin_code: string, bin_type: "Pickable" | "Staging") =>
    (await api.createBin({ warehouse_id, zone_id, bin_code, bin_barcode: bin_code, bin_type })).data.bin_id;
  const staging = await bin("STAGE-1", "Staging");
  const shelf = await bin("A-01-02", "Pickable");
  const upc = "0400000000015";
  const { item_id } = (await api.createItem({ sku: "MUG-01", item_name: "Blue mug", upc })).data;

  const lines = [{ item_id, quantity_ordered: 2 }];
  const bought = (await api.createPurchaseOrder({ po_number: "PO-2001", warehouse_id, lines })).data;
  const { po_id } = bought.purchase_order;
  const received = await api.receiveItems({ po_id, items: [{ item_id, quantity: 2, bin_id: staging }] });
  await api.confirmPutAway({ item_id, from_bin_id: staging, to_bin_id: shelf, quantity: 2 });

  const { so_id } = (await api.createSalesOrder({ so_number: "SO-1001", warehouse_id, lines })).data.sales_order;
  const { batch_id, first_pick } = (await api.createPickWave({ so_ids: [so_id], warehouse_id })).data;
  if (!first_pick) throw new Error("the wave has no pick");
  const { pick_task_id, quantity_to_pick } = first_pick;
  await api.confirmPick({ pick_task_id, scanned_barcode: upc, quantity_picked: quantity_to_pick });
  const { summary } = (await api.completePickBatch({ batch_id })).data;
  await api.verifyPackedItem({ so_id, scanned_barcode: upc, quantity: 2 });
  const packed = (await api.completePacking({ so_id })).data;
  await api.shipSalesOrder({ so_id, tracking_number: "1Z999AA10123456784", carrier: "UPS" });
  const { sales_order } = (await api.getSalesOrder(so_id)).data;
  return [received.data.po_status, ...summary.orders.map(({ status }) => status), packed.status, sales_order.status];
}

/** The types are those of the document: what it doesn't allow doesn't compile. */
export const refusedByTheCompiler = (service: Api<string>) => {
  // @ts-expect-error: an item has a SKU
  void service.api.createItem({ item_name: "Blue mug" });
  // @ts-expect-error: no such type of bin
  void service.api.createBin({ warehouse_id: 1, zone_id: 1, bin_code: "A", bin_barcode: "A", bin_type: "Cellar" });
};
