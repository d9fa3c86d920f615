import type { AppOptions } from "./options.js";

/** Where workflows can be watched, as `WorkflowsUrl` says. */
export const workflowsUrl = ({
  temporalUiUrl,
  temporalNamespace,
}: Pick<AppOptions, "temporalUiUrl" | "temporalNamespace">): string | null =>
  temporalUiUrl ? `${temporalUiUrl}/namespaces/${temporalNamespace}/workflows/` : null;
