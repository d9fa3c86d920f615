import { Checkbox, TextInput } from "@mantine/core";
import type { ConsumerGroup } from "../../../../client/src/index.js";
import { scopeList } from "../../../texts/scopes.js";
import { t } from "../../../texts/tokens.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { ProgramField } from "../../components/program-field.js";
import { RowActions } from "../../components/row-actions.js";
import { namesOf, useWarehouseNames } from "../../components/warehouse-names.js";
import { SelectionFields, selectionOf } from "./selection.js";

export default function ConsumerGroups() {
  const warehouses = useWarehouseNames();
  return (
    <ListPage
      title={t("consumerGroups")}
      none="consumerGroups"
      actions={
        <Decision
          label={t("addGroup")}
          title={t("addGroup")}
          act={({ consumer_group_id = "", connector_id = "", ...values }, api) => {
            const acknowledge_replay = "acknowledge_replay" in values;
            const body = { consumer_group_id, connector_id, subscription: selectionOf(values), acknowledge_replay };
            return api.post("/api/admin/consumer-groups", { body });
          }}
          isWide
        >
          <TextInput name="consumer_group_id" label={t("group")} required data-autofocus />
          <ProgramField />
          <SelectionFields />
          <Checkbox name="acknowledge_replay" label={t("replay")} />
        </Decision>
      }
      path="/api/admin/consumer-groups"
      rows="consumer_groups"
      isWhole
      columns={[
        { field: "consumer_group_id", title: t("group"), sorts: true },
        { field: "connector_id", title: t("program"), sorts: true },
        {
          field: "events",
          title: t("events"),
          show: ({ subscription }) => scopeList(subscription.event_types ?? []) || t("allEvents"),
        },
        {
          field: "warehouses",
          title: t("warehouses"),
          show: ({ subscription }) => namesOf(subscription.warehouse_ids ?? [], warehouses) || t("allEvents"),
        },
        { field: "last_cursor", title: t("cursor"), sorts: true, as: "number" },
        { field: "last_heartbeat", title: t("heartbeat"), sorts: true, as: "time" },
        { field: "actions", title: t("actions"), show: (group) => <GroupActions of={group} /> },
      ]}
    />
  );
}

function GroupActions({ of: { consumer_group_id, subscription } }: { of: ConsumerGroup }) {
  const path = { consumer_group_id };
  const name = consumer_group_id;
  return (
    <RowActions>
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editGroup", { name })}
        act={(values, api) => {
          const body = { subscription: selectionOf(values) };
          return api.patch("/api/admin/consumer-groups/{consumer_group_id}", { path, body });
        }}
        isWide
      >
        <SelectionFields of={subscription} />
      </Decision>
      <Decision
        label={t("delete")}
        title={t("deleteGroup", { name })}
        act={(_, api) => api.delete("/api/admin/consumer-groups/{consumer_group_id}", { path })}
        isDangerous
      />
    </RowActions>
  );
}
