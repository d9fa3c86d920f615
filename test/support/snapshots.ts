import type { Caller } from "./caller.js";

export const SNAPSHOT = "/api/v1/snapshot/inventory";

export interface SnapshotRow {
  item_external_id: string;
  warehouse_id: number;
  bin_external_id: string;
  quantity_on_hand: number;
  quantity_allocated: number;
  quantity_available: number;
  lot_number: string | null;
  serial_number: null;
}

export interface Scan {
  snapshot_event_id: number;
  rows: SnapshotRow[];
}

/** All pages of one scan, each asked of the next caller; `between` them something may happen. */
export async function scanWith(
  callers: [Caller, ...Caller[]],
  warehouse_id: number,
  limit: number,
  between?: () => Promise<unknown>,
): Promise<Scan> {
  const first = `${SNAPSHOT}?warehouse_id=${warehouse_id}&limit=${limit}`;
  const rows: SnapshotRow[] = [];
  for (let path = first, n = 0; ; n++) {
    const caller = callers[n % callers.length] as Caller;
    const page = await caller.ok("GET", path);
    rows.push(...page.rows);
    if (page.next_cursor === null) return { snapshot_event_id: page.snapshot_event_id, rows };
    path = `${first}&cursor=${page.next_cursor}`;
    await between?.();
  }
}
