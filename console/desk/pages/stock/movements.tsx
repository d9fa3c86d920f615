import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useRead } from "../../../shared/api.js";
import { actionText } from "../../../texts/actions.js";
import { entityText } from "../../../texts/entities.js";
import { fieldText } from "../../../texts/fields.js";
import { t } from "../../../texts/stock.js";
import { valueText } from "../../../texts/values.js";
import { Empty, Loaded } from "../../components/states.js";
import { Story } from "../../components/story.js";

const AT_FIRST = 20;

/** What happened to an item and to its stock, by the audit log. */
export function Movements({ item_id }: { item_id: number }) {
  const [howMany, setHowMany] = useState(AT_FIRST);
  const found = useRead("/api/admin/audit-log", { query: { item_id, per_page: howMany } });
  return (
    <Loaded of={found}>
      {({ entries, total }) =>
        entries.length === 0 ? (
          <Empty title={t("noMovements")} />
        ) : (
          <Stack align="start">
            <Story
              of={entries.map(
                ({
                  action_type,
                  entity_type,
                  created_at,
                  username,
                  actor_name,
                  warehouse_id,
                  warehouse_code,
                  details,
                }) => ({
                  ...{
                    at: created_at,
                    title: titleOf(action_type, entity_type),
                    ...{ by: username, by_name: actor_name },
                    warehouse_id,
                  },
                  detail: [warehouse_code, detailsText(details)].filter(Boolean).join(" · "),
                }),
              )}
            />
            {total > entries.length && (
              <Button variant="default" onClick={() => setHowMany(howMany * 2)}>
                {t("more")}
              </Button>
            )}
          </Stack>
        )
      }
    </Loaded>
  );
}

/** What says only that a record was made or changed is told with the record, unless that is the item. */
const titleOf = (action: string, entity: string) =>
  entity !== "ITEM" && ["CREATE", "UPDATE", "CANCEL", "DELETE"].includes(action)
    ? `${entityText(entity)}: ${actionText(action)}`
    : actionText(action);

/** What stands in the details, without what only programs know: ids, keys and tokens. */
const isForPrograms = (name: string) => name.endsWith("_id") || ["token", "idempotency_key"].includes(name);

const detailsText = (details: Record<string, unknown> | null): string =>
  Object.entries(details ?? {})
    .filter(([name, value]) => ["string", "number"].includes(typeof value) && value !== "" && !isForPrograms(name))
    .map(([name, value]) => `${fieldText(name)}: ${valueText(String(value))}`)
    .join(" · ");
