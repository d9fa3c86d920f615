import { Text } from "@mantine/core";
import type { CarrierAccount } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/carriers.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { RowActions } from "../../components/row-actions.js";
import { activeColumn } from "../../components/status.js";
import { WarehouseField, warehouseColumn } from "../../components/warehouse-field.js";
import { daysText } from "../../components/week-days.js";
import { AccountFields, accountIn } from "./account-fields.js";
import { carrierTitle } from "./use-accounts.js";

/** What carriers there are, and what each has to be told. */
export const useCarriers = () => useRead("/api/admin/carriers/kinds").data?.carriers ?? [];

/** The accounts with carriers that labels are bought with. */
export default function Accounts() {
  const carriers = useCarriers();
  return (
    <ListPage
      title={t("accounts")}
      none="accounts"
      actions={<NewAccount />}
      path="/api/admin/carriers"
      rows="carrier_accounts"
      ofWarehouse
      columns={[
        { field: "account_name", title: t("name"), sorts: true },
        warehouseColumn(),
        {
          ...{ field: "carrier", title: t("kind") },
          show: ({ carrier }) => carrierTitle(carriers.find((one) => one.carrier === carrier) ?? { carrier }),
        },
        {
          ...{ field: "ship_from", title: t("shipFrom") },
          show: ({ ship_from: { name, city, country } }) => [name, city, country].join(", "),
        },
        { field: "label_format", title: t("format"), show: ({ label_format }) => label_format.toUpperCase() },
        { field: "collection_at", title: t("collection"), show: collectionOf },
        activeColumn(t),
        { field: "actions", title: t("actions"), right: true, show: (account) => <Actions account={account} /> },
      ]}
    />
  );
}

const collectionOf = ({ collection_at, collection_days, scan_out }: CarrierAccount) =>
  [collection_at && `${daysText(collection_days)} ${collection_at}`, scan_out && t("scanned")]
    .filter(Boolean)
    .join(" · ") || null;

const NewAccount = () => (
  <Decision
    isWide
    isAction
    label={t("newAccount")}
    verb={t("create")}
    title={t("newAccount")}
    act={({ warehouse_id, carrier = "", ...values }, api) =>
      api.post("/api/admin/carriers", {
        body: { ...accountIn(values), warehouse_id: Number(warehouse_id), carrier },
      })
    }
  >
    <WarehouseField isForPlaces />
    <AccountFields />
  </Decision>
);

function Actions({ account }: { account: CarrierAccount }) {
  const { account_id, account_name: name, is_active } = account;
  const path = { account_id };
  return (
    <RowActions>
      <Decision
        isSmall
        label={t("test")}
        verb={t("tryIt")}
        title={t("testAccount", { name })}
        act={async (_, api) => {
          const { connected, message } = await api.post("/api/admin/carriers/{account_id}/test", { path });
          if (!connected) throw new Error(message);
        }}
      >
        <Text size="sm">{t("testHint")}</Text>
      </Decision>
      <Decision
        isSmall
        isWide
        label={t("edit")}
        verb={t("save")}
        title={t("editAccount", { name })}
        act={(values, api) => api.put("/api/admin/carriers/{account_id}", { path, body: accountIn(values) })}
      >
        <AccountFields of={account} />
      </Decision>
      <Decision
        isSmall
        label={is_active ? t("pause") : t("resume")}
        title={is_active ? t("pauseAccount", { name }) : t("resumeAccount", { name })}
        act={(_, api) => api.put("/api/admin/carriers/{account_id}", { path, body: { is_active: !is_active } })}
      />
      <Decision
        isSmall
        isDangerous
        label={t("delete")}
        title={t("deleteAccount", { name })}
        act={(_, api) => api.delete("/api/admin/carriers/{account_id}", { path })}
      >
        <Text size="sm">{t("deleteAccountHint")}</Text>
      </Decision>
    </RowActions>
  );
}
