import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Id, Name } from "../../platform/fields.js";

/** Views of lists that people keep: docs/lists.md. */

const ViewId = Id.describe("Id of the view, by which routes name it.");
export const ViewedList = z
  .string()
  .regex(/^[a-z][a-z0-9/-]{0,63}$/)
  .meta({ examples: ["orders"], description: "The list, by the path of its page at the desk." });
const Parameters = z
  .string()
  .max(2_000)
  .meta({
    examples: ["status=OPEN&sort=ship_by_date"],
    description: "Filters, order and columns, as in the address of the page.",
  });
const IsShared = z.boolean().describe("Whether everybody may use it.");

export const SavedView = z
  .strictObject({
    view_id: ViewId,
    list: ViewedList,
    view_name: AnyText("Late orders").describe("What people call the view."),
    parameters: Parameters,
    is_shared: IsShared,
    owner: AnyText("ann").describe("Who made the view."),
    is_own: z.boolean().describe("Whether the caller made it."),
    created_at: field.CreatedAt,
  })
  .meta({ id: "SavedView", description: "A name for filters, order and columns of a list." });
export type SavedView = z.infer<typeof SavedView>;

export const NewSavedView = z
  .strictObject({
    list: ViewedList,
    view_name: Name(64, "Late orders").describe("What people call the view."),
    parameters: Parameters,
    is_shared: IsShared.default(false),
  })
  .meta({ id: "NewSavedView", description: "A view that the caller keeps." });
export type NewSavedView = z.infer<typeof NewSavedView>;
