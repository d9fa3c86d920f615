import { Badge, Button } from "@mantine/core";
import { Link } from "react-router";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/auth.js";
import { rightText } from "../../../texts/rights.js";
import { DataList } from "../../components/data-list.js";
import { Page } from "../../components/page.js";
import { useWarehouse } from "../../components/warehouse.js";

export default function Users() {
  const { warehouses } = useWarehouse();
  const codeOf = (id: number) => warehouses.find((warehouse) => warehouse.id === id)?.code ?? String(id);
  return (
    <Page
      title={t("users")}
      actions={
        <Button component={Link} to="/users/new">
          {t("newUser")}
        </Button>
      }
    >
      <DataList
        title={t("users")}
        path="/api/admin/users"
        rows="users"
        to={({ user_id }) => `/users/${user_id}`}
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
          { field: "is_active", title: t("status"), show: ({ is_active }) => <Active is={is_active} /> },
          { field: "last_login", title: t("lastLogin"), sorts: true, show: ({ last_login }) => time(last_login) },
        ]}
      />
    </Page>
  );
}

export const Active = ({ is }: { is: boolean }) => (
  <Badge color={is ? "green" : "gray.6"} variant="dot" miw="max-content">
    {t(is ? "active" : "inactive")}
  </Badge>
);
