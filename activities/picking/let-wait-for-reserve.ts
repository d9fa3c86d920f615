import type { WavesReleased, WaveToPlan } from "../../src/picking/waves/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

type Waiting = NonNullable<WavesReleased["waiting"]>;

/** Notes the orders of a release that wait for units from reserve, besides those that wait already. */
export async function letWaitForReserve(
  tx: Tx,
  { warehouse_id, combine, group, filter }: WaveToPlan,
  orders: { so_id: number; so_number: string }[],
  by: Actor,
): Promise<Waiting | undefined> {
  if (orders.length === 0) return undefined;
  const known = await tx.rows(
    { so_id: int },
    "select unnest(so_ids) as so_id from waves_waiting where warehouse_id = $1",
    [warehouse_id],
  );
  const waits = new Set(known.map(({ so_id }) => so_id));
  const others = orders.filter(({ so_id }) => !waits.has(so_id));
  if (others.length === 0) return undefined;
  const so_ids = others.map(({ so_id }) => so_id);
  const { zone_id } = filter;
  const made = await tx.row(
    { waiting_id: int },
    `insert into waves_waiting (warehouse_id, so_ids, plan, created_by) values ($1, $2, $3, $4) returning waiting_id`,
    [warehouse_id, so_ids, JSON.stringify({ combine, group, ...(zone_id && { zone_id }) }), by.username],
  );
  const { waiting_id } = made as { waiting_id: number };
  tx.audit({
    ...{ action: "CREATE", entity: "WAITING_WAVE", entityId: waiting_id, warehouseId: warehouse_id },
    details: { so_ids },
  });
  return { waiting_id, so_ids, so_numbers: others.map(({ so_number }) => so_number) };
}
