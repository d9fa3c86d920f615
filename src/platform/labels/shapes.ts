import { z } from "zod";
import { Id, QueryLimit } from "../fields.js";
import { problem } from "../problem.js";
import type { Print } from "./draw.js";
import { labelSizes, slipSizes } from "./sizes.js";

export const TooManyLabels = problem(
  "too_many_labels",
  400,
  "{labels} labels are more than the {most} of one request: name the records by their ids",
);
export const NothingToPrint = problem("nothing_to_print", 404, "There is nothing to print a label of");
export const SizeNotOnRoll = problem(
  "size_not_on_roll",
  400,
  "Size {size} is paper, which ZPL does not print: ask for a PDF or for another size",
);

/** The most labels of one request: drawing them takes about a second. */
export const MOST_LABELS = 200;
/** The most of a whole zone, of which nobody could print a part: about five seconds, and ended after thirty. */
export const MOST_LABELS_OF_ZONE = 1_000;

const format = z.enum(["pdf", "zpl"]).default("pdf").describe("PDF, or ZPL for label printers.");
const dpi = z
  .enum(["203", "300"])
  .default("203")
  .transform(Number)
  .describe("Dots per inch of the label printer; of no effect on a PDF.");

/** How labels are printed: query parameters. */
export const LabelPrint = z.object({
  format,
  size: z
    .enum(Object.keys(labelSizes) as [keyof typeof labelSizes])
    .default("100x50")
    .describe("Width and height of the label, in millimetres unless it says otherwise."),
  dpi,
});

/** How a packing slip is printed. */
export const SlipPrint = z.object({
  format,
  size: z
    .enum(Object.keys(slipSizes) as [keyof typeof slipSizes])
    .optional()
    .describe("Paper or roll; by default A4, and 4x6in for ZPL."),
  dpi,
});

export const Copies = QueryLimit(MOST_LABELS).default(1).describe("How many times the label is printed.");

/** Ids separated by commas in the query string. */
export const LabelledIds = z
  .string()
  .max(MOST_LABELS * 11)
  .regex(/^\d+(,\d+)*$/, "Expected ids separated by commas")
  .transform((text) => text.split(",").map(Number))
  .pipe(z.array(Id).max(MOST_LABELS))
  .meta({ examples: ["1,2,3"], description: `The records to label, at most ${MOST_LABELS}, separated by commas.` });

export const labelPrint = ({ format, dpi, size }: z.infer<typeof LabelPrint>): Print => ({
  format,
  dpi,
  size: labelSizes[size],
});

/** Throws 400 for paper that label printers do not take. */
export function slipPrint({ format, dpi, size }: z.infer<typeof SlipPrint>): Print {
  const chosen = size ?? (format === "pdf" ? "A4" : "4x6in");
  if (format === "zpl" && chosen !== "4x6in") throw SizeNotOnRoll({ size: chosen });
  return { format, dpi, size: slipSizes[chosen] };
}
