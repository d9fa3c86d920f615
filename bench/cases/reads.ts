import { visibleWarehouses } from "../../src/platform/actor.js";
import { poByBarcode } from "../../src/receiving/queries.js";
import { itemByBarcode, searchItems } from "../../src/reports/lookup/queries.js";
import { type Case, call, scattered, times } from "../case.js";
import { nameOf, upcOf } from "../data.js";

export const lookup: Case = {
  name: "lookup",
  works: 6_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const upc = upcOf(scattered(i, size.items));
      return call(who, `GET /api/lookup/item/${upc}`, undefined, () =>
        itemByBarcode(upc, undefined, visibleWarehouses(who.by)),
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
      return call(who, `GET /api/receiving/po/${po}`, undefined, () => poByBarcode(po, visibleWarehouses(who.by)));
    });
  },
};

/** A few items by what their names have in common. */
export const itemSearch: Case = {
  name: "item search",
  works: 1_500,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const name = nameOf(scattered(i, size.items));
      const line = `GET /api/lookup/item/search?q=${encodeURIComponent(name)}` as const;
      return call(who, line, undefined, () => searchItems(name, visibleWarehouses(who.by), false));
    });
  },
};
