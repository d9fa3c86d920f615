import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { sourceSystemKinds, Text } from "../../platform/fields.js";

/** Systems that may push records: docs/interface.md, Consumer groups. */

export const SourceSystem = z
  .strictObject({ source_system: field.SourceSystem, kind: z.enum(sourceSystemKinds).describe("What kind it is.") })
  .meta({ id: "SourceSystem", description: "A system that may push records." });
export type SourceSystem = z.infer<typeof SourceSystem>;

export const NewSourceSystem = SourceSystem.extend({
  notes: Text(1000, "The web shop").nullish().describe("Notes on the record."),
}).meta({ id: "NewSourceSystem", description: "A system that is to push records." });
export type NewSourceSystem = z.infer<typeof NewSourceSystem>;

export const DeletedSourceSystem = z
  .strictObject({ source_system: field.SourceSystem, deleted: field.Deleted })
  .meta({ id: "DeletedSourceSystem", description: "A system that may push records no longer." });
export type DeletedSourceSystem = z.infer<typeof DeletedSourceSystem>;
