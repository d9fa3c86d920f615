import { Button } from "@mantine/core";
import { Link, useParams } from "react-router";
import type { InboundAttempt, InboundDetail } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/inbound.js";
import { scopeText } from "../../../texts/scopes.js";
import { Facts, Section } from "../../components/facts.js";
import { Json } from "../../components/json.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { Empty, Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { FieldTable } from "./values.js";

/** One pushed record: what came, and what it became here or why it was refused. */
export default function InboundRecord() {
  const { resource, inbound_id } = useParams();
  const path = { resource: resource as InboundAttempt["resource"], inbound_id: Number(inbound_id) };
  return (
    <Loaded of={useRead("/api/admin/inbound/activity/{resource}/{inbound_id}", { path })}>
      {(record) => (
        <Page
          title={`${scopeText(record.resource)} · ${record.external_id}`}
          mark={<Status of={record.status} />}
          actions={
            record.source_payload && (
              <Button component={Link} to="/inbound-try" state={record} variant="default">
                {t("inboundTry")}
              </Button>
            )
          }
        >
          <Section title={t("record")}>
            <RecordFacts of={record} />
          </Section>
          {record.refusal && (
            <Section title={t("refusal")}>
              <FieldTable title={t("refusal")} of={record.refusal} />
            </Section>
          )}
          <Section title={t("source")}>
            {record.source_payload ? (
              <Json title={t("source")} of={record.source_payload} />
            ) : (
              <Empty title={t("noPayload")} />
            )}
          </Section>
          {record.canonical_payload && (
            <Section title={t("canonical")}>
              <FieldTable title={t("canonical")} of={record.canonical_payload} />
            </Section>
          )}
        </Page>
      )}
    </Loaded>
  );
}

const RecordFacts = ({ of }: { of: InboundDetail }) => (
  <Facts
    of={[
      [t("sourceSystem"), of.source_system],
      [t("externalId"), of.external_id],
      [t("version"), of.external_version],
      [t("received"), time(of.received_at)],
      [t("supersededAt"), time(of.superseded_at)],
      [t("canonicalId"), of.canonical_id],
      [
        t("token"),
        of.ingested_via_token_id && (
          <MaybeLink to={`/tokens/${of.ingested_via_token_id}`}>#{of.ingested_via_token_id}</MaybeLink>
        ),
      ],
    ]}
  />
);
