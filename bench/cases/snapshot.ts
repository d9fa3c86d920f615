import { beginScan, readScan } from "../../activities/outbound/snapshot.js";
import { type Case, times, type Work } from "../case.js";
import { request } from "../connection.js";
import { WAREHOUSE } from "../data.js";

const LIMIT = 2_000;

/** A whole scan of the service's inventory, page after page. */
export const snapshot: Case = {
  name: "snapshot",
  works: 2,
  connections: 1,
  prepare: async ({ shop: { token, plaintext } }, count) => {
    const who = { token_id: token.token_id, warehouse_id: WAREHOUSE };
    const path = `/api/v1/snapshot/inventory?warehouse_id=${WAREHOUSE}&limit=${LIMIT}`;
    const page = (cursor: string | undefined) =>
      request(`GET ${path}${cursor ? `&cursor=${cursor}` : ""}`, plaintext, undefined, "x-wms-token:");
    const work: Work = {
      served: async (to) => {
        let cursor: string | undefined;
        do {
          const answer = await to.send(page(cursor));
          // It stands at the end of the answer, which need not be read for it.
          const end = answer.toString("latin1", answer.length - 200);
          cursor = /"next_cursor":"([^"]+)"}$/.exec(end)?.[1];
        } while (cursor);
      },
      directly: async () => {
        const scan = await beginScan(who);
        for (let after = 0, rows = LIMIT; rows === LIMIT; after += LIMIT)
          rows = (await readScan(scan, after, LIMIT, who)).rows.length;
      },
    };
    return times(count, () => work);
  },
};
