import type { Api } from "../../../shared/api.js";
import { scopeList } from "../../../texts/scopes.js";
import { t } from "../../../texts/tokens.js";
import { DataList } from "../../components/data-list.js";
import { SecretsPage } from "../../components/secrets-page.js";
import { namesOf, useWarehouseNames } from "../../components/warehouse-names.js";
import { newToken, TokenFields } from "./token-fields.js";

export default function Tokens() {
  const warehouses = useWarehouseNames();
  const make = async (values: Record<string, string>, api: Api) => {
    const body = newToken(values);
    const { token } = await api.post("/api/admin/tokens", { body });
    return { title: t("secretOf", { name: body.token_name }), secret: token };
  };
  return (
    <SecretsPage title={t("tokens")} label={t("issue")} fields={<TokenFields />} make={make}>
      <DataList
        title={t("tokens")}
        none="tokens"
        path="/api/admin/tokens"
        rows="tokens"
        isWhole
        to={({ token_id }) => `/tokens/${token_id}`}
        columns={[
          { field: "token_name", title: t("name"), sorts: true },
          { field: "status", title: t("status"), sorts: true, as: "status" },
          { field: "warehouse_ids", title: t("warehouses"), show: (row) => namesOf(row.warehouse_ids, warehouses) },
          {
            field: "scope",
            title: t("scope"),
            show: ({ endpoints, inbound_resources }) => scopeList([...endpoints, ...inbound_resources]),
          },
          { field: "source_system", title: t("sourceSystem"), sorts: true },
          { field: "last_used_at", title: t("lastUsed"), sorts: true, as: "time" },
          { field: "expires_at", title: t("expires"), sorts: true, as: "time" },
        ]}
      />
    </SecretsPage>
  );
}
