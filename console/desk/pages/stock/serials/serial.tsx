import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import { type Serial, urlOf } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { isAdmin, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/lots.js";
import { serialStepText } from "../../../../texts/serial-steps.js";
import { Facts, Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Page } from "../../../components/page.js";
import { SaveFile } from "../../../components/save-file.js";
import { Loaded } from "../../../components/states.js";
import { Status } from "../../../components/status.js";
import { Story } from "../../../components/story.js";
import { useWarehouseCode } from "../../../components/warehouse-field.js";
import { OpenRecall } from "../recalls/open-recall.js";

/** A unit by its serial number, and its life; several items may have units of the same number. */
export default function SerialPage() {
  const { serial = "" } = useParams();
  return (
    <Page title={t("serialOf", { serial })}>
      <Loaded of={useRead("/api/lookup/serial/{serial}", { path: { serial } })}>
        {({ serials }) => serials.map((one) => <Life key={one.serial_id} of={one} />)}
      </Loaded>
    </Page>
  );
}

function Life({ of: unit }: { of: Serial }) {
  const codeOf = useWarehouseCode();
  return (
    <Section title={`${unit.sku} · ${unit.serial_number}`} actions={<UnitActions unit={unit} />}>
      <Facts
        of={[
          [
            t("item"),
            <MaybeLink to={`/items/${unit.item_id}`} key="item">
              {unit.sku}
            </MaybeLink>,
          ],
          [t("name"), unit.item_name],
          [t("lot"), unit.lot_number],
          [t("lastSeenIn"), unit.warehouse_code],
          ...(unit.bins.length > 0 ? [[t("mayLieIn"), <Bins key="bins" of={unit.bins} />] as [string, ReactNode]] : []),
          [t("order"), unit.so_id && <MaybeLink to={`/orders/${unit.so_id}`}>{unit.so_number}</MaybeLink>],
          [t("customer"), unit.customer_name],
        ]}
      />
      <Story
        of={unit.steps.toReversed().map(({ at, kind, username, warehouse_id, order_number, so_id, ...step }) => ({
          ...{ at, title: serialStepText(kind), by: username, warehouse_id },
          ...(so_id && { page: `/orders/${so_id}` }),
          detail: [codeOf(warehouse_id), order_number, step.carrier, step.tracking_number].filter(Boolean).join(" · "),
        }))}
      />
    </Section>
  );
}

/** Its state, its life as a document, and for administrators its recall. */
function UnitActions({ unit: { serial_id, item_id, serial_number, state } }: { unit: Serial }) {
  const mayRecall = isAdmin(useMe());
  return (
    <>
      <Status of={state} />
      <SaveFile
        isSmall
        label={t("epcis")}
        mediaType="application/ld+json"
        url={urlOf("/api/admin/serials/{serial_id}/epcis", { serial_id })}
        name={`serial-${serial_number}.jsonld`}
      />
      {mayRecall && (
        <OpenRecall
          isSmall
          title={t("recallUnit", { serial: serial_number })}
          hint={t("recallUnitHint")}
          of={{ item_id, serial_numbers: [serial_number] }}
        />
      )}
    </>
  );
}

/** Moves do not name serials: it lies in one of the bins that hold its item, unless it was picked. */
const Bins = ({ of }: { of: Serial["bins"] }) => (
  <Group gap="xs">
    {of.map(({ bin_id, bin_code }) => (
      <MaybeLink key={bin_id} to={`/bins/${bin_id}`}>
        {bin_code}
      </MaybeLink>
    ))}
  </Group>
);
