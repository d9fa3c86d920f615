import { z } from "zod";
import type { AppOptions } from "./options.js";

/** Where people watch workflows: of answers that name some. */
export const WorkflowsUrl = z
  .string()
  .meta({ examples: ["https://temporal.example.com/namespaces/default/workflows/"] })
  .nullable()
  .describe("Where a workflow can be watched, when its id is put behind it; null where no Temporal UI is named.");

export const workflowsUrl = ({
  temporalUiUrl,
  temporalNamespace,
}: Pick<AppOptions, "temporalUiUrl" | "temporalNamespace">): string | null =>
  temporalUiUrl ? `${temporalUiUrl}/namespaces/${temporalNamespace}/workflows/` : null;
