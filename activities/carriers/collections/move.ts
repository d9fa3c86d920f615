import type { Actor } from "../../../src/platform/actor.js";
import { text } from "../../../src/platform/db/columns.js";
import { command } from "../../command.js";
import { entityOf, nextDayOf } from "../begin-collection.js";
import { lockCollection } from "./lock.js";

const MovedRow = { day: text };

/** Moves an open collection, whose day is closed, to the next open one. Says whether there is one. */
export function moveCollection(collection_id: number, by: Actor): Promise<boolean> {
  return command("carriers.moveCollection", by, { collection_id }, async (tx) => {
    const collection = await lockCollection(tx, collection_id);
    if (collection?.status !== "open") return false;
    const moved = await tx.row(MovedRow, MOVE, [collection_id]);
    const { carrier, collection_day: from } = collection;
    if (moved) tx.audit({ action: "COLLECTION_MOVE", ...entityOf(collection), details: { carrier, from, ...moved } });
    return moved !== undefined;
  });
}

const MOVE = `
  update carrier_collections as m
  set collection_day = d.day, cut_off_at = d.cut_off, updated_at = now()
  from carrier_collections o join carrier_accounts a using (account_id)
    cross join lateral (${nextDayOf("o.carrier", "o.collection_id")}) d
  where m.collection_id = $1 and o.collection_id = $1 and d.day <> o.collection_day
    and (o.cut_off_at is null) = (d.cut_off is null)
  returning m.collection_day as day`;
