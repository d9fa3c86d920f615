import type { UpdateDefinition } from "@temporalio/common";
import { openTransferIn } from "../../src/transfers/queries.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import type * as transfer from "../../workflows/transfer-order.js";
import { runUpdate, type WorkflowCall } from "../http/workflow-updates.js";

/**
 * Does a step of a transfer order by an update of its workflow; one without a running workflow is started again or,
 * when it has ended, handled `directly`. The caller is the last argument of each update.
 */
export function updateTransfer<R extends object>(
  call: WorkflowCall,
  toId: number,
  name: "startPicking" | "submit" | "approve" | "approveLines" | "reject" | "shortClose" | "cancel" | "remove",
  args: unknown[],
  directly: () => Promise<R>,
): Promise<Omit<R, "state">> {
  return runUpdate<typeof transfer.transferOrder, UpdateDefinition<Omit<R, "state">, unknown[]>>(
    call,
    {
      workflow: "transferOrder",
      workflowId: transferWorkflowId(toId),
      args: [toId, call.by],
      openIn: () => openTransferIn(toId),
    },
    name,
    [...args, call.by],
    async () => {
      const { state: _, ...answer } = (await directly()) as R & { state?: unknown };
      return answer as Omit<R, "state">;
    },
  );
}
