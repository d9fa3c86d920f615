import { Checkbox, Fieldset, NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import type { SalesOrder, SalesOrderDetail } from "../../../../client/src/index.js";
import { t } from "../../../texts/sales-orders.js";
import { statusText } from "../../../texts/statuses.js";
import { Decision } from "../../components/decision.js";

const steps = ["OPEN", "PICKED", "PACKED"] as const;
type Step = (typeof steps)[number];

interface RevertProps {
  order: SalesOrder;
  picks: SalesOrderDetail["pick_tasks"];
}

/** Takes an order back to an earlier status. Before it can be open again, all that was picked goes back. */
export function RevertOrder({ order: { so_id, so_number, status }, picks }: RevertProps) {
  const targets = status === "SHIPPED" ? steps : steps.slice(0, steps.indexOf(status as Step));
  const [target, setTarget] = useState<Step>(targets.at(-1) ?? "OPEN");
  const tasks = [...new Map(picks.map((pick) => [pick.pick_task_id, pick])).values()];
  return (
    <Decision
      isDangerous
      label={t("revert")}
      title={t("revertTitle", { number: so_number })}
      act={(values, api) => {
        const released = tasks.filter(({ pick_task_id }) => values[`task_${pick_task_id}`] === "on");
        const release_pick_task_ids = released.map(({ pick_task_id }) => pick_task_id);
        return api.post("/api/admin/sales-orders/{so_id}/revert-status", {
          path: { so_id },
          body: { new_status: target, release_pick_task_ids },
        });
      }}
    >
      <NativeSelect
        label={t("backTo")}
        value={target}
        onChange={({ currentTarget }) => setTarget(currentTarget.value as Step)}
        data={targets.map((value) => ({ value, label: statusText(value) }))}
        data-autofocus
      />
      {tasks.length > 0 && (
        <Fieldset legend={t("putBack")}>
          <Stack gap="xs">
            {tasks.map(({ pick_task_id, sku, bin_code, quantity_picked }) => (
              <Checkbox
                key={`${target}-${pick_task_id}`}
                name={`task_${pick_task_id}`}
                label={t("pickOf", { count: quantity_picked, sku, bin: bin_code })}
                defaultChecked={target === "OPEN"}
              />
            ))}
          </Stack>
        </Fieldset>
      )}
    </Decision>
  );
}
