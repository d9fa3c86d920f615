import { completePacking } from "../../activities/shipping/packing.js";
import { closeParcel, packRest } from "../../activities/shipping/parcels/close.js";
import { openParcel, scanIntoParcel } from "../../activities/shipping/parcels/pack.js";
import type { Actor } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { anew, type Case, times } from "../case.js";
import type { Connection } from "../connection.js";
import { addOrders, itemsOfOrder, upcOf } from "../data.js";

/** An order of four units in three parcels: into two a unit is scanned, the third has the rest. */
export const packParcels: Case = {
  name: "pack 3 parcels",
  works: 400,
  connections: 8,
  prepare: async ({ somebody, size, places }, count) => {
    const who = somebody();
    const place = places(count);
    const orders = await addOrders(db, size, place, count, "PICKED");
    return times(count, (i) => {
      const so_id = orders[i] as number;
      const [first] = itemsOfOrder(place + i, size);
      return {
        served: (to) => pack(so_id, upcOf(first), overHttp(to, who.token)),
        directly: () => pack(so_id, upcOf(first), inProcess(who.by)),
      };
    });
  },
};

/** The steps of the bench, whoever takes them. */
interface Bench {
  open(soId: number): Promise<number>;
  scan(parcelId: number, scanned_barcode: string): Promise<unknown>;
  close(parcelId: number): Promise<unknown>;
  rest(soId: number): Promise<unknown>;
  complete(soId: number): Promise<unknown>;
}

async function pack(soId: number, upc: string, bench: Bench): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const parcelId = await bench.open(soId);
    await bench.scan(parcelId, upc);
    await bench.close(parcelId);
  }
  await bench.rest(soId);
  await bench.complete(soId);
}

function overHttp(to: Connection, token: string): Bench {
  const post = (path: `/${string}`, body: unknown) => to.ask(`POST ${path}`, token, body);
  const parcels = "/api/packing/parcels";
  return {
    open: async (so_id) => (await post(parcels, { so_id })).parcel_id,
    scan: (id, scanned_barcode) => post(`${parcels}/${id}/scan`, { scanned_barcode, quantity: 1 }),
    close: (id) => post(`${parcels}/${id}/close`, {}),
    rest: (so_id) => post(`${parcels}/rest`, { so_id }),
    complete: (so_id) => post("/api/packing/complete", { so_id }),
  };
}

const inProcess = (by: Actor): Bench => ({
  open: async (so_id) => (await openParcel({ so_id }, anew(by))).parcel_id,
  scan: (parcel_id, scanned_barcode) => scanIntoParcel({ parcel_id, scanned_barcode, quantity: 1 }, anew(by)),
  close: (parcel_id) => closeParcel({ parcel_id }, anew(by)),
  rest: (so_id) => packRest({ so_id }, anew(by)),
  complete: (so_id) => completePacking({ so_id }, anew(by)),
});
