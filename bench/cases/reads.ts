import { scopeOf } from "../../src/actor.js";
import { itemByBarcode } from "../../src/lookup/queries.js";
import { poByBarcode } from "../../src/receiving/queries.js";
import { type Case, call, scattered, times } from "../case.js";
import { upcOf } from "../data.js";

export const lookup: Case = {
  name: "lookup",
  works: 6_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const upc = upcOf(scattered(i, size.items));
      return call(who, `GET /api/lookup/item/${upc}`, undefined, () =>
        itemByBarcode(upc, scopeOf(who.by)),
      );
    });
  },
};

export const purchaseOrder: Case = {
  name: "receiving/po",
  works: 6_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const po = `PO-${scattered(i, size.purchaseOrders)}`;
      return call(who, `GET /api/receiving/po/${po}`, undefined, () =>
        poByBarcode(po, scopeOf(who.by)),
      );
    });
  },
};
