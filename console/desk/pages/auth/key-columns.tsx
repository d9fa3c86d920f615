import type { PersonalKey } from "../../../../client/src/index.js";
import { t } from "../../../texts/keys.js";
import { rightText } from "../../../texts/rights.js";
import type { Column } from "../../components/table.js";

/** What is told of a key, wherever keys are listed. */
export const keyColumns = (): Column<PersonalKey>[] => [
  { field: "key_name", title: t("keyName"), sorts: true, show: nameOf },
  { field: "scope", title: t("scope"), show: scopeOf },
  { field: "made_at", title: t("created"), sorts: true, as: "time" },
  { field: "expires_at", title: t("validUntil"), sorts: true, as: "time" },
  { field: "last_used_at", title: t("lastUsed"), sorts: true, as: "time" },
];

const nameOf = ({ key_name, agent_name }: PersonalKey): string =>
  agent_name === null ? key_name : t("letIn", { name: key_name });

function scopeOf({ page_keys, functions, is_read_only }: PersonalKey): string {
  const some = [...(page_keys ?? []), ...(functions ?? [])].map(rightText);
  const isWhole = page_keys === null && functions === null;
  return [isWhole ? t("allRights") : some.join(", ") || t("none"), ...(is_read_only ? [t("readsOnly")] : [])].join(
    " · ",
  );
}
