import type { User } from "../../../../client/src/index.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/auth.js";
import { rightText } from "../../../texts/rights.js";
import { inUse } from "../../components/bulk-action.js";
import { ListPage } from "../../components/data-list.js";
import { LinkButton } from "../../components/maybe-link.js";
import { activeColumn } from "../../components/status.js";
import { useWarehouse } from "../../components/warehouse.js";

export default function Users() {
  const { warehouses } = useWarehouse();
  const codeOf = (id: number) => warehouses.find((warehouse) => warehouse.id === id)?.code ?? String(id);
  return (
    <ListPage
      title={t("users")}
      none="users"
      actions={<LinkButton to="/users/new" label={t("newUser")} isFilled />}
      path="/api/admin/users"
      rows="users"
      to={({ user_id }) => `/users/${user_id}`}
      bulk={{
        ...{ id: "user_id", name: "username" },
        actions: inUse({ on: t("activate"), off: t("deactivate") }, ({ user_id }: User, is_active, api) =>
          api.put("/api/admin/users/{user_id}", { path: { user_id }, body: { is_active } }),
        ),
      }}
      filters={[{ name: "q", label: t("search") }]}
      columns={[
        { field: "username", title: t("username"), sorts: true },
        { field: "full_name", title: t("name"), sorts: true },
        { field: "role", title: t("role"), sorts: true, show: ({ role }) => rightText(role) },
        {
          field: "warehouse_ids",
          title: t("warehouses"),
          show: ({ role, warehouse_ids }) =>
            role === "ADMIN" ? t("all") : warehouse_ids.map(codeOf).join(", ") || t("none"),
        },
        {
          field: "page_keys",
          title: t("pages"),
          show: ({ role, page_keys }) => (role === "ADMIN" ? t("all") : number(page_keys.length)),
        },
        activeColumn(t),
        { field: "last_login", title: t("lastLogin"), sorts: true, as: "time" },
      ]}
    />
  );
}
