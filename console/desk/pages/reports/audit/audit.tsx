import { Code, Text } from "@mantine/core";
import { useRead } from "../../../../shared/api.js";
import { number } from "../../../../shared/format.js";
import { actionChoices, actionText } from "../../../../texts/actions.js";
import { t } from "../../../../texts/audit.js";
import { entityText } from "../../../../texts/entities.js";
import { DataList } from "../../../components/data-list.js";
import { Facts, Section } from "../../../components/facts.js";
import { Page } from "../../../components/page.js";
import { person } from "../../../components/person.js";
import { Loaded } from "../../../components/states.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";
import { nameOf } from "./details.js";

export default function Audit() {
  return (
    <Page title={t("audit")}>
      <DataList
        title={t("audit")}
        none="audit"
        path="/api/admin/audit-log"
        isLong
        rows="entries"
        to={({ log_id }) => `/audit/${log_id}`}
        filters={[
          { name: "action_type", label: t("action"), choices: actionChoices() },
          { name: "user_id", label: t("username") },
          { name: "item_id", label: t("itemId") },
          { name: "start_date", label: t("from"), isDay: true },
          { name: "end_date", label: t("to"), isDay: true },
        ]}
        columns={[
          { field: "created_at", title: t("when"), sorts: true, as: "time" },
          { field: "action_type", title: t("action"), sorts: true, show: (row) => actionText(row.action_type) },
          {
            field: "entity_type",
            title: t("about"),
            sorts: true,
            show: ({ entity_type, entity_name }) =>
              `${entityText(entity_type)} ${nameOf(entity_type, entity_name) ?? ""}`,
          },
          {
            field: "username",
            title: t("by"),
            sorts: true,
            show: ({ username, actor_name }) => person(username, actor_name),
          },
          warehouseColumn(),
          { field: "device_id", title: t("device") },
        ]}
      />
      <Seal />
    </Page>
  );
}

/** How far the log is sealed, and how anybody can verify it. */
function Seal() {
  const found = useRead("/api/admin/audit-log/seal");
  return (
    <Section title={t("seal")}>
      <Loaded of={found}>
        {({ seal_no, head, unsealed }) => (
          <Facts
            of={[
              [t("newestSeal"), number(seal_no)],
              [t("unsealed"), number(unsealed)],
              [t("head"), head && <Code>{head}</Code>],
            ]}
          />
        )}
      </Loaded>
      <Text mt="sm">{t("sealHint")}</Text>
      <Text>{t("sealKeep")}</Text>
      <Text mt="sm">
        {t("verify")} <Code>npm run audit:verify</Code>
      </Text>
    </Section>
  );
}
