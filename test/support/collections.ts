import { closedParcel, insertAccount, insertCollection, insertLabel, shipByRows } from "./carrier-requests.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";

/** A truck of UPS that waits for so many shipped parcels, of which the rows alone know. */
export async function truckToLoad(warehouse_id: number, count = 2) {
  const account_id = await insertAccount(warehouse_id);
  const collection_id = await insertCollection(account_id);
  const parcels: { so_number: string; code: string; tracking_number: string }[] = [];
  for (let n = 0; n < count; n++) {
    const { item_id } = await fixtures.item();
    const { so_id, so_number } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const parcel_id = await closedParcel(so_id);
    const purchase_id = await insertLabel(parcel_id, account_id);
    await db.run("update label_purchases set collection_id = $2 where purchase_id = $1", [purchase_id, collection_id]);
    const tracking_number = `1Z${parcel_id}`;
    await db.run("update parcels set carrier = 'UPS', tracking_number = $2 where parcel_id = $1", [
      ...[parcel_id, tracking_number],
    ]);
    await shipByRows(parcel_id);
    parcels.push({ so_number, code: `PCL-${parcel_id}`, tracking_number });
  }
  return { account_id, collection_id, parcels };
}
