import { randomUUID } from "node:crypto";
import { completePacking, verifyItem } from "../../activities/shipping/packing.js";
import { fulfill } from "../../activities/shipping/shipping.js";
import { shipAtStation } from "../../activities/station/ship.js";
import { tokenActor } from "../../api/auth/token-authentication.js";
import { text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
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

export const stationShip: Case = {
  name: "station ship",
  works: 2_000,
  prepare: async ({ somebody, size, places, station }, count) => {
    const { token } = station;
    const operator_username = somebody().by.username;
    const orders = await addOrders(db, size, places(count), count, "PACKED");
    const numbers = await db.rows(
      { so_number: text },
      "select so_number from sales_orders where so_id = any($1) order by so_id",
      [orders],
    );
    return numbers.map(({ so_number }) => {
      const idempotency_key = randomUUID();
      const body = { tracking: `1Z${so_number}`, carrier: "UPS", operator_username, idempotency_key };
      const line = `POST /api/v1/station/orders/${encodeURIComponent(so_number)}/ship` as const;
      const whole = { ...body, so_number, ship_method: null, shipping_cost: null, weight: null, dims: null };
      return call(station, line, body, () =>
        shipAtStation({ ...whole, manual_link: false }, token.token_name, tokenActor(token, idempotency_key)),
      );
    });
  },
};
