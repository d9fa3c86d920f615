import type { PersonalKey } from "../../../../client/src/index.js";
import { t } from "../../../texts/keys.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { keyColumns } from "./key-columns.js";

/** The API keys of all users, for an ADMIN. */
export default function Keys() {
  return (
    <ListPage
      title={t("keysOfAll")}
      path="/api/admin/keys"
      rows="keys"
      none="apiKeys"
      filters={[{ name: "q", label: t("search") }]}
      columns={[
        { field: "username", title: t("whose"), sorts: true },
        ...keyColumns(),
        { field: "actions", title: t("actions"), right: true, show: (key: PersonalKey) => <Revoke of={key} /> },
      ]}
    />
  );
}

const Revoke = ({ of: { key_id, key_name: name } }: { of: PersonalKey }) => (
  <Decision
    isSmall
    isDangerous
    label={t("revoke")}
    title={t("revokeKey", { name })}
    act={(_, api) => api.delete("/api/admin/keys/{key_id}", { path: { key_id } })}
  />
);
