import { PasswordInput, TextInput } from "@mantine/core";
import { api, useAction } from "../../../../shared/api.js";
import { t } from "../../../../texts/channels.js";
import { scopeList } from "../../../../texts/scopes.js";
import { DataList } from "../../../components/data-list.js";
import { Decision } from "../../../components/decision.js";
import { Page } from "../../../components/page.js";
import { Refused } from "../../../components/states.js";
import { Mark } from "../../../components/status.js";
import { WarehouseField, warehouseColumn } from "../../../components/warehouse-field.js";
import { TestOutcome } from "../test-outcome.js";
import { DestinationActions } from "./destination-actions.js";
import { NoticeFields, noticesOf } from "./notice-fields.js";

/** Chat channels that people of a warehouse read. */
export default function Notifications() {
  const test = useAction((webhook_id: number) =>
    api.post("/api/admin/notification-webhooks/{webhook_id}/test-send", { path: { webhook_id } }),
  );
  return (
    <Page title={t("notifications")} actions={<AddDestination />}>
      <Refused error={test.error} />
      <TestOutcome of={test.data} />
      <DataList
        title={t("notifications")}
        none="notifications"
        path="/api/admin/notification-webhooks"
        rows="notification_webhooks"
        isWhole
        ofWarehouse
        to={({ webhook_id }) => `/notifications/${webhook_id}`}
        columns={[
          { field: "host_preview", title: t("host"), sorts: true },
          warehouseColumn(),
          { field: "event_filter", title: t("notices"), show: ({ event_filter }) => scopeList(event_filter) },
          {
            ...{ field: "enabled", title: t("status"), sorts: true },
            show: ({ enabled }) => <Mark color={enabled ? "green" : "gray.6"} text={t(enabled ? "on" : "off")} />,
          },
          { field: "created_at", title: t("created"), sorts: true, as: "time" },
          {
            field: "actions",
            title: t("actions"),
            show: (row) => <DestinationActions of={row} test={() => test.mutate(row.webhook_id)} />,
          },
        ]}
      />
    </Page>
  );
}

const AddDestination = () => (
  <Decision
    label={t("addDestination")}
    title={t("addDestination")}
    act={({ warehouse_id, url = "", secret, ...values }, api) =>
      api.post("/api/admin/notification-webhooks", {
        body: {
          warehouse_id: Number(warehouse_id),
          url,
          event_filter: noticesOf(values),
          enabled: "enabled" in values,
          ...(secret && { secret }),
        },
      })
    }
    isWide
  >
    <WarehouseField />
    <TextInput name="url" type="url" label={t("url")} required autoComplete="off" data-autofocus />
    <NoticeFields of={["backorder.opened", "backorder.fulfillable"]} />
    <PasswordInput name="secret" label={t("secret")} description={t("secretHint")} autoComplete="off" />
  </Decision>
);
