/** What the fields of backorders mean, by their names. */
export const backorderDescriptions: Record<string, string> = {
  tab: "Which of the two lists: those that wait, or those that may be shipped.",
  backorders: "The backorders, the oldest first.",
  open_po: "The purchase order of the warehouse that is expected first and still has units of the item to come.",
  fulfillable_since: "Since when there was stock enough for it; null while it waits.",
  bo_so_id: "Id of the backorder.",
  short_qty: "By how many units the line is short.",
  original_so: "The order that was cut.",
  backorder_so: "The order that was made for what is short.",
  shrink_summary: "What became of each line that was cut.",
  ordered_before: "Units that the line asked for.",
  ordered_after: "Units that it asks for now.",
  line_deleted: "Whether nothing of the line was left.",
  adjustment_qty:
    "Units taken off the books because they were not found, as a negative number; 0 when there were none.",
};
