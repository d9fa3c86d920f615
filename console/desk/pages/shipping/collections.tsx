import { NativeSelect, TextInput } from "@mantine/core";
import type { Collection } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { isAdmin, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/collections.js";
import { saidText } from "../../../texts/faults.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

const STATUSES = ["open", "manifesting", "manifested", "manifest_failed", "cancelled"];

/** What carriers fetch: docs/collections.md. */
export default function Collections() {
  const me = useMe();
  return (
    <ListPage
      title={t("collections")}
      none="collections"
      actions={isAdmin(me) && <Begin />}
      path="/api/shipping/collections"
      rows="collections"
      ofWarehouse
      to={({ collection_id }) => `/collections/${collection_id}`}
      filters={[
        { name: "carrier", label: t("carrier") },
        { name: "day", label: t("day"), isDay: true },
        { name: "status", label: t("status"), choices: choicesOf(STATUSES) },
        { name: "collected", label: t("left"), choices: { true: t("yes"), false: t("no") } },
      ]}
      columns={[
        { field: "carrier", title: t("carrier"), sorts: true },
        { field: "collection_day", title: t("day"), sorts: true, as: "day" },
        warehouseColumn(),
        { field: "account_name", title: t("account") },
        { field: "status", title: t("status"), as: "status" },
        { field: "parcels", title: t("parcels"), as: "number" },
        { field: "loaded", title: t("loaded"), show: loadedOf },
        { field: "cut_off_at", title: t("cutOff"), sorts: true, as: "time" },
        { field: "collected_at", title: t("collected"), as: "time" },
        { field: "last_error", title: t("error"), show: ({ last_error }) => last_error && saidText(last_error) },
      ]}
    />
  );
}

/** Where nothing is scanned, how much was says nothing. */
const loadedOf = ({ scan_out, loaded, parcels }: Collection) => (scan_out ? t("ofAll", { loaded, parcels }) : "");

function Begin() {
  const { data } = useRead("/api/admin/carriers", { query: { per_page: 1000 } });
  const accounts = (data?.carrier_accounts ?? []).filter(({ is_active }) => is_active);
  return (
    <Decision
      isAction
      label={t("begin")}
      title={t("begin")}
      act={({ account_id, carrier = "" }, api) =>
        api.post("/api/shipping/collections", { body: { account_id: Number(account_id), carrier } })
      }
    >
      <NativeSelect
        name="account_id"
        label={t("account")}
        data={accounts.map(({ account_id, account_name, warehouse_code }) => ({
          value: String(account_id),
          label: `${account_name} · ${warehouse_code}`,
        }))}
        required
        data-autofocus
      />
      <TextInput name="carrier" label={t("carrier")} description={t("carrierHint")} maxLength={100} required />
    </Decision>
  );
}
