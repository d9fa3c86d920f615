import { NativeSelect, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Label, Parcel, ParcelRate } from "../../../../client/src/index.js";
import { Refusal } from "../../../../client/src/index.js";
import { moneyOf } from "../../../shared/amounts.js";
import { api } from "../../../shared/api.js";
import { hasLabel, isLate, useLabels } from "../../../shared/labels.js";
import { isAdmin, mayDo, useMe } from "../../../shared/session.js";
import { faultText, quoted, saidText } from "../../../texts/faults.js";
import { fieldText } from "../../../texts/fields.js";
import { t } from "../../../texts/parcels.js";
import { reasonName } from "../../../texts/reasons.js";
import { Decision } from "../../components/decision.js";
import { Printout } from "../../components/printout.js";
import { RowActions } from "../../components/row-actions.js";
import { Refused, Waiting } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { TrackingLink } from "../../components/tracking-link.js";
import { contentsOptions } from "./contents.js";
import { NoteLabel } from "./note-label.js";

/** The labels that were bought of carriers for a parcel, or are to be. */
export function ParcelLabels({ parcel }: { parcel: Parcel }) {
  const labels = useLabels(parcel.parcel_id);
  const me = useMe();
  const isBought = mayDo(me, "pack") && parcel.status === "CLOSED" && !labels.some(hasLabel);
  if (labels.length === 0 && !isBought) return null;
  return (
    <TableSection
      title={t("labels")}
      actions={
        isBought && (
          <>
            {isAdmin(me) && <NoteLabel parcel={parcel} />}
            <Buy parcel={parcel} />
          </>
        )
      }
      rows={labels}
      empty={t("noLabel")}
      columns={[
        { field: "purchase_number", title: t("label") },
        { field: "status", title: t("status"), show: (label) => <Status of={`label_${label.status}`} /> },
        { field: "carrier", title: t("carrier"), show: ({ carrier, service }) => wordsOf(carrier, service) },
        {
          ...{ field: "cost_minor", title: t("cost"), right: true },
          show: ({ cost_minor, cost_currency }) => moneyOf(cost_minor, cost_currency),
        },
        {
          field: "tracking_number",
          title: t("tracking"),
          show: ({ carrier, tracking_number }) => <TrackingLink carrier={carrier} number={tracking_number} />,
        },
        { field: "reason", title: t("whyThis"), show: WhatComesNext },
        { field: "actions", title: t("actions"), right: true, show: (label) => <Actions {...{ label, parcel }} /> },
      ]}
    />
  );
}

const wordsOf = (...words: (string | null)[]) => words.filter(Boolean).join(" · ") || null;

/** Why the service was chosen, and what is wrong with it or comes next. */
function WhatComesNext(label: Label) {
  const { reason, last_error, refusal, faults, refund } = label;
  const error = refund === "rejected" ? t("refundRejected") : last_error && saidText(last_error);
  return (
    <>
      {reason && <Text size="sm">{faultText(reason)}</Text>}
      {refusal && <Text size="sm">{reasonName(`label_${refusal}`)}</Text>}
      {error && <Text size="sm">{error}</Text>}
      {faults.map(({ field, message }) => (
        <Text key={field} size="sm">
          {fieldText(field)}: {quoted(message)}
        </Text>
      ))}
      {isLate(label) && <Text size="sm">{t("later")}</Text>}
    </>
  );
}

function Actions({ label, parcel }: { label: Label; parcel: Parcel }) {
  const { purchase_id, status, label_format, warehouse_id } = label;
  const mayPack = mayDo(useMe(), "pack");
  const mayVoid = mayPack && ["pending", "bought", "void_failed"].includes(status);
  // One that was taken back is not to be printed and used.
  const isValid = status === "bought" || status === "void_failed";
  const leftWithIt = parcel.status === "SHIPPED" && parcel.tracking_number === label.tracking_number;
  return (
    <RowActions>
      {isValid && label_format && (
        <Printout
          isSmall
          label={t("print")}
          path={`/api/packing/labels/${purchase_id}/file`}
          print={{ document: "carrier_label", record_ids: [purchase_id] }}
          warehouseId={warehouse_id}
          drawn={label_format}
        />
      )}
      {mayVoid && parcel.status !== "SHIPPED" && (
        <Decision
          isSmall
          isDangerous
          label={t("voidLabel")}
          title={t("voidLabelTitle", { number: parcel.parcel_number, order: parcel.so_number })}
          act={(_, api) => api.post("/api/packing/labels/{purchase_id}/void", { path: { purchase_id } })}
        />
      )}
      {mayPack && status === "void_failed" && !leftWithIt && <WriteOff label={label} />}
    </RowActions>
  );
}

/** For a label that its carrier does not take back. */
const WriteOff = ({ label: { purchase_id, parcel_number: number, so_number: order } }: { label: Label }) => (
  <Decision
    isSmall
    isDangerous
    label={t("writeOff")}
    title={t("writeOffTitle", { number, order })}
    act={({ reason = "" }, api) =>
      api.post("/api/packing/labels/{purchase_id}/write-off", { path: { purchase_id }, body: { reason } })
    }
  >
    <Text size="sm">{t("writeOffHint")}</Text>
    <TextInput name="reason" label={t("reason")} maxLength={500} required data-autofocus />
  </Decision>
);

const Buy = ({ parcel: { parcel_id, parcel_number: number, so_number: order } }: { parcel: Parcel }) => (
  <Decision
    isSmall
    isWide
    label={t("buyLabel")}
    title={t("buyTitle", { number, order })}
    act={({ rate, customs_contents }, api) =>
      api.post("/api/packing/parcels/{parcel_id}/label", {
        path: { parcel_id },
        body: { ...(rate && JSON.parse(rate)), ...(customs_contents && { customs_contents }) },
      })
    }
  >
    <Rates parcel_id={parcel_id} />
    <NativeSelect
      name="customs_contents"
      label={t("whySent")}
      description={t("whySentHint")}
      data={contentsOptions()}
    />
  </Decision>
);

/** What carriers ask, and what rules choose; where none answers now, it is bought later as rules choose then. */
function Rates({ parcel_id }: { parcel_id: number }) {
  const { data, error } = useQuery({
    queryKey: ["rates", parcel_id],
    // That a carrier is away is said at once: nobody waits for it here.
    queryFn: ({ signal }) =>
      api.post("/api/packing/parcels/{parcel_id}/rates", { path: { parcel_id }, body: {}, giveUpAfterMs: 0, signal }),
    staleTime: 0,
    gcTime: 0,
  });
  if (error)
    return (
      <>
        <Refused error={error} />
        {isAway(error) && <Text size="sm">{t("ratesLater")}</Text>}
      </>
    );
  if (!data) return <Waiting />;
  const chosen = data.rates.find((rate) => rate.chosen);
  return (
    <>
      <Radio.Group name="rate" label={t("service")} defaultValue="">
        <Stack gap="xs" mt="xs">
          <Radio
            value=""
            label={t("asRules")}
            description={chosen && [rateText(chosen), faultText(data.reason)].filter(Boolean).join(". ")}
          />
          {data.rates.map(({ account_id, carrier, service, ...rate }) => {
            const value = JSON.stringify({ account_id, carrier, service });
            return <Radio key={value} value={value} label={rateText({ account_id, carrier, service, ...rate })} />;
          })}
        </Stack>
      </Radio.Group>
      {data.messages.map((message) => (
        <Text key={message} size="sm" c="dimmed">
          {saidText(message)}
        </Text>
      ))}
    </>
  );
}

/** Whether it may answer later; what is refused is mended first. */
const isAway = (error: unknown) => !(error instanceof Refusal) || error.code === "carrier_away";

const rateText = ({ account_name, carrier, service, cost_minor, cost_currency, days }: ParcelRate): string =>
  [`${carrier} ${service}`, moneyOf(cost_minor, cost_currency), days !== null && t("days", { days }), account_name]
    .filter(Boolean)
    .join(" · ");
