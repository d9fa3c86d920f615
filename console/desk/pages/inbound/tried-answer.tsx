import { List } from "@mantine/core";
import type { InboundTried } from "../../../../client/src/index.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/inbound.js";
import { scopeText } from "../../../texts/scopes.js";
import { Facts, Section } from "../../components/facts.js";
import { Notice } from "../../components/states.js";
import { TableSection } from "../../components/table.js";
import { outcomeText } from "./outcomes.js";
import { FieldTable, RecordTable } from "./values.js";

/** What would become of a push, field by field. */
export const TriedAnswer = ({
  of: { outcome, refusal, existing, values, lines, lookups, warnings },
}: {
  of: InboundTried;
}) => (
  <>
    <Notice color={refusal ? "red" : "green"} title={outcomeText(outcome)} />
    {refusal && (
      <Section title={t("refusal")}>
        <Facts
          of={[
            [t("httpStatus"), refusal.http_status],
            [t("errorKind"), refusal.error_kind],
            [t("message"), refusal.message],
          ]}
        />
      </Section>
    )}
    {warnings.length > 0 && (
      <Section title={t("warnings")}>
        <List>
          {warnings.map((warning) => (
            <List.Item key={warning}>{warning}</List.Item>
          ))}
        </List>
      </Section>
    )}
    {existing && (
      <Section title={t("existing")}>
        <Facts
          of={[
            [t("name"), existing.name],
            [t("version"), existing.external_version],
            [t("received"), time(existing.received_at)],
            [t("canonicalId"), existing.canonical_id],
          ]}
        />
      </Section>
    )}
    {values && (
      <Section title={t("values")}>
        <FieldTable title={t("values")} of={values} />
      </Section>
    )}
    {lines && (
      <Section title={t("lines")}>
        <RecordTable title={t("lines")} of={lines} />
      </Section>
    )}
    {lookups.length > 0 && (
      <TableSection
        title={t("lookups")}
        rows={lookups}
        columns={[
          { field: "field", title: t("column") },
          { field: "source_type", title: t("resource"), show: ({ source_type }) => scopeText(source_type) },
          { field: "source_id", title: t("externalId") },
          { field: "required", title: t("mustBeKnown"), show: ({ required }) => t(required ? "yes" : "no") },
          { field: "canonical_id", title: t("known"), show: (row) => row.canonical_id ?? t("no") },
        ]}
      />
    )}
  </>
);
