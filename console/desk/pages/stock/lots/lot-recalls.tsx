import { Group } from "@mantine/core";
import type { Recall } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/lots.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Status } from "../../../components/status.js";

/** The recalls that a lot is or was on, the newest first; for administrators alone. */
export const useRecallsOf = (lot_id: number): Recall[] =>
  useRead("/api/admin/recalls", { query: { lot_id } }).data?.recalls ?? [];

export function LotRecalls({ lot_id }: { lot_id: number }) {
  const recalls = useRecallsOf(lot_id);
  if (recalls.length === 0) return t("onNone");
  return recalls.map(({ recall_id, status }) => (
    <Group key={recall_id} gap="xs">
      <MaybeLink to={`/recalls/${recall_id}`}>{t("recallOf", { number: recall_id })}</MaybeLink>
      <Status of={status} />
    </Group>
  ));
}
