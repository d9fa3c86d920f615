import { z } from "zod";
import { Id, LotNumber, Quantity } from "./fields.js";

/** The body that says what was carried from which bin to which other one. */
export const Carried = z
  .strictObject({
    item_id: Id,
    from_bin_id: Id,
    to_bin_id: Id.meta({ examples: [2] }),
    quantity: Quantity,
    lot_number: LotNumber.nullish(),
  })
  .refine(
    (move) => move.from_bin_id !== move.to_bin_id,
    "Source and destination bin are the same",
  );
