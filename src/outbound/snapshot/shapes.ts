import { z } from "zod";
import { Epoch } from "../../platform/events/envelope.js";
import * as field from "../../platform/fields/index.js";
import { WholeNumber } from "../../platform/fields.js";
import { InvalidCursor } from "../problems.js";

const ExternalId = z.string().meta({
  description: "As the source system calls it, else our UUID.",
  examples: ["0190c3a2-7d1e-4b6a-9f53-2c8e4d5f6a7b"],
});

export const SnapshotRow = z.strictObject({
  item_external_id: ExternalId,
  warehouse_id: field.WarehouseId,
  bin_external_id: ExternalId,
  quantity_on_hand: WholeNumber.describe("Units that lie in the bin."),
  quantity_allocated: WholeNumber.describe("Units that are reserved for orders."),
  quantity_available: WholeNumber.describe("Units on hand that no order has reserved."),
  lot_number: field.GivenLot.nullable(),
  serial_number: z.null().describe("Serial number of the unit."),
});
export type SnapshotRow = z.infer<typeof SnapshotRow>;

export const Snapshot = z
  .strictObject({
    snapshot_event_id: z.int().nonnegative().describe("The rows hold what all events up to this one did."),
    epoch: Epoch,
    rows: z.array(SnapshotRow).describe("Rows of stock in the order of their ids, empty ones too."),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "Gives the next page; null on the last one.", examples: [null] }),
  })
  .meta({ id: "InventorySnapshot", description: "A page of the inventory of a warehouse as of one moment." });
export type Snapshot = z.infer<typeof Snapshot>;

/** The place in a scan after which a page begins. */
const Cursor = z.strictObject({ scan_id: z.uuid(), after: z.int32().positive() });
export type Cursor = z.infer<typeof Cursor>;

/**
 * The cursor as partners get it and send it back: unpadded base64url of compact JSON, opaque to them.
 */
export const cursorText = ({ scan_id, after }: Cursor): string =>
  Buffer.from(JSON.stringify({ scan_id, after })).toString("base64url");

/** Reads exactly what `cursorText` wrote; anything else is refused. */
export function readCursor(text: string): Cursor {
  const cursor = Cursor.safeParse(jsonOf(text));
  if (!cursor.success || cursorText(cursor.data) !== text) throw InvalidCursor();
  return cursor.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
