import { completePacking, verifyItem } from "../../activities/shipping/packing.js";
import { fulfill } from "../../activities/shipping/shipping.js";
import { db } from "../../src/db/db.js";
import { anew, type Case, call, times } from "../case.js";
import { addOrders, itemsOfOrder, upcOf } from "../data.js";

export const verify: Case = {
  name: "verify",
  works: 2_000,
  prepare: async ({ somebody, size, places }, count) => {
    const who = somebody();
    const place = places(count);
    const orders = await addOrders(db, size, place, count, "PICKED");
    return times(count, (i) => {
      const so_id = orders[i] as number;
      const [first] = itemsOfOrder(place + i, size);
      const body = { so_id, scanned_barcode: upcOf(first), quantity: 1 };
      return call(who, "POST /api/packing/verify", body, () => verifyItem(body, anew(who.by)));
    });
  },
};

export const pack: Case = {
  name: "pack",
  works: 2_000,
  prepare: async ({ somebody, size, places }, count) => {
    const who = somebody();
    const orders = await addOrders(db, size, places(count), count, "VERIFIED");
    return orders.map((so_id) =>
      call(who, "POST /api/packing/complete", { so_id }, () => completePacking({ so_id }, anew(who.by))),
    );
  },
};

export const ship: Case = {
  name: "ship",
  works: 2_000,
  prepare: async ({ somebody, size, places }, count) => {
    const who = somebody();
    const orders = await addOrders(db, size, places(count), count, "PACKED");
    return orders.map((so_id) => {
      const body = { so_id, tracking_number: `1Z${so_id}`, carrier: "UPS" };
      return call(who, "POST /api/shipping/fulfill", body, () => fulfill(body, anew(who.by)));
    });
  },
};
