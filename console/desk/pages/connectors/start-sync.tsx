import { Button } from "@mantine/core";
import type { SyncSchedule } from "../../../../client/src/index.js";
import { useAction } from "../../../shared/api.js";
import { t } from "../../../texts/connectors.js";
import { scopeText } from "../../../texts/scopes.js";
import { Refused } from "../../components/states.js";
import type { OfWarehouse } from "../../components/warehouse-names.js";

interface StartSyncProps extends OfWarehouse {
  sync_type: SyncSchedule["sync_type"];
}

export function StartSync({ name, warehouse_id, sync_type }: StartSyncProps) {
  const start = useAction((_: object, api) =>
    api.post("/api/admin/connectors/{name}/sync/{sync_type}", { path: { name, sync_type }, body: { warehouse_id } }),
  );
  return (
    <>
      <Refused error={start.error} />
      <Button
        variant="default"
        onClick={() => start.mutate({})}
        loading={start.isPending}
        aria-label={`${t("start")}: ${scopeText(sync_type)}`}
      >
        {t("start")}
      </Button>
    </>
  );
}
