import { confirmPutAway } from "../../activities/receiving/putaway.js";
import { receive } from "../../activities/receiving/receive.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { anew, type Case, call, scattered, times } from "../case.js";
import { dockOf, itemOnPo, LINES_PER_PO, type Size, shelfOf } from "../data.js";

export const receiving: Case = {
  name: "receive",
  works: 2_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const po_id = scattered(i, size.purchaseOrders);
      const item_id = itemOnPo(po_id, (i % LINES_PER_PO) + 1, size);
      const bin_id = dockOf(item_id, size);
      const body = { po_id, items: [{ item_id, quantity: 5, bin_id }] };
      return call(who, "POST /api/receiving/receive", body, () => receive(body, anew(who.by)));
    });
  },
};

/** A unit of the nth item from its dock to its shelf. */
function carried(i: number, size: Size) {
  const item_id = scattered(i, size.items);
  return {
    item_id,
    from_bin_id: dockOf(item_id, size),
    to_bin_id: shelfOf(item_id),
    quantity: 1,
  };
}

export const putAway: Case = {
  name: "putaway/confirm",
  works: 2_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const body = carried(i, size);
      return call(who, "POST /api/putaway/confirm", body, () => confirmPutAway(body, anew(who.by)));
    });
  },
};

export const move: Case = {
  name: "transfers/move",
  works: 2_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const body = carried(i, size);
      return call(who, "POST /api/transfers/move", body, () => moveBetweenBins(body, anew(who.by)));
    });
  },
};
