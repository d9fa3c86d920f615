import { Code, Text } from "@mantine/core";
import { useParams } from "react-router";
import type { AuditLogEntry } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { NOTHING, number, time } from "../../../../shared/format.js";
import { actionText } from "../../../../texts/actions.js";
import { t } from "../../../../texts/audit.js";
import { entityText } from "../../../../texts/entities.js";
import { fieldText } from "../../../../texts/fields.js";
import { Facts, Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Page } from "../../../components/page.js";
import { person } from "../../../components/person.js";
import { Loaded } from "../../../components/states.js";
import { TableSection } from "../../../components/table.js";
import { changedText, nameOf, readDetails, wordsOf } from "./details.js";

/** The pages of records that have one, by the type that the log gives them. */
const pages: Record<string, string> = {
  ITEM: "items",
  BIN: "bins",
  SO: "orders",
  PO: "purchase-orders",
  TO: "transfers",
  USER: "users",
  WMS_TOKEN: "tokens",
};

export default function Entry() {
  const log_id = Number(useParams().log_id);
  const found = useRead("/api/admin/audit-log/{log_id}", { path: { log_id } });
  return (
    <Loaded of={found}>
      {({ entry, seal_no, row_hash }) => {
        const { changes, facts } = readDetails(entry.details ?? {});
        return (
          <Page
            title={`${actionText(entry.action_type)}: ${entityText(entry.entity_type)}`}
            warehouse_id={entry.warehouse_id ?? undefined}
          >
            <Section title={t("what")}>
              <Facts
                of={[
                  [entityText(entry.entity_type), <Record key="record" of={entry} />],
                  [t("when"), time(entry.created_at)],
                  [t("by"), person(entry.username, entry.actor_name)],
                  [t("warehouse"), entry.warehouse_code],
                  [t("device"), entry.device_id],
                  ...facts.map(([field, value]): [string, string] => [fieldText(field), factOf(entry, field, value)]),
                ]}
              />
            </Section>
            {changes.length > 0 && (
              <TableSection
                title={t("changes")}
                rows={changes}
                columns={[
                  { field: "field", title: t("field"), show: ({ field }) => changedText(entry.entity_type, field) },
                  { field: "before", title: t("before"), show: ({ before }) => <Value of={before} isOld /> },
                  { field: "after", title: t("after"), show: ({ after }) => <Value of={after} /> },
                ]}
              />
            )}
            <Section title={t("seal")}>
              <Facts
                of={[
                  [t("number"), seal_no === null ? t("notYet") : number(seal_no)],
                  [t("hash"), row_hash && <Code>{row_hash}</Code>],
                ]}
              />
            </Section>
          </Page>
        );
      }}
    </Loaded>
  );
}

/** A setting that was made names itself among its details. */
const factOf = ({ entity_type }: AuditLogEntry, field: string, value: unknown) =>
  wordsOf(field === "key" && typeof value === "string" ? nameOf(entity_type, value) : value);

function Record({ of: { entity_type, entity_id, entity_name } }: { of: AuditLogEntry }) {
  const name = nameOf(entity_type, entity_name) ?? String(entity_id);
  const page = pages[entity_type];
  return page ? <MaybeLink to={`/${page}/${entity_id}`}>{name}</MaybeLink> : name;
}

/** What was before is struck through, as on paper. */
const Value = ({ of, isOld = false }: { of: unknown; isOld?: boolean }) => {
  const words = wordsOf(of);
  return (
    <Text size="sm" span {...(isOld && words !== NOTHING && { td: "line-through", c: "dimmed" })}>
      {words}
    </Text>
  );
};
