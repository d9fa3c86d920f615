import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { NextStep, WhyOrder } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { reasonText, t } from "../../../texts/order-why.js";
import { sentenceOf } from "../../../texts/story.js";
import { Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { useNameOf } from "../../components/person.js";
import { Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { Coming } from "./coming.js";

/** The next steps before which an order waits for something. */
const waiting: NextStep["code"][] = [
  ...(["wait_for_stock", "pick", "in_wave", "picked_short"] as const),
  ...(["review", "held_differs_from_shop", "held_on_hold_in_shop", "held_by_hand"] as const),
];

/** Why an order waits, for who wants to know: it is asked for then. */
export function OrderWhy({ so_id, code }: { so_id: number; code: NextStep["code"] }) {
  const [isOpen, setOpen] = useState(false);
  if (!waiting.includes(code)) return null;
  return (
    <>
      <Group>
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("why")}
        </Button>
      </Group>
      {isOpen && (
        <Section title={t("why")}>
          <Reasons so_id={so_id} />
        </Section>
      )}
    </>
  );
}

function Reasons({ so_id }: { so_id: number }) {
  const nameOf = useNameOf();
  const found = useRead("/api/admin/sales-orders/{so_id}/why", { path: { so_id } });
  return (
    <Loaded of={found}>
      {(why) => {
        const said = sentences(why, nameOf);
        return (
          <Stack gap="sm">
            {said.map((sentence) => (
              <Text key={sentence}>{sentence}</Text>
            ))}
            {said.length === 0 && why.lacks.length === 0 && <Text>{t("noReason")}</Text>}
            {why.lacks.map((item) => (
              <Lacking key={item.item_id} of={item} />
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}

const made = { picker: "waveByPicker", release: "waveByRelease", template: "waveByTemplate" } as const;

function sentences({ hold, wave, left_out }: WhyOrder, nameOf: ReturnType<typeof useNameOf>): string[] {
  const said = [];
  if (hold?.reason === "review") said.push(t("heldHere"));
  else if (hold?.since) said.push(t("heldBySince", { by: nameOf(hold.by, hold.by_name), time: time(hold.since) }));
  if (hold?.note) said.push(t("heldBecause", { note: hold.note }));
  if (wave) {
    const { batch_number, template_name, by, by_name, made_at, made_by, assigned_to } = wave;
    const values = { by: nameOf(by, by_name), time: time(made_at), template: template_name ?? "" };
    said.push(t(made[made_by], { ...values, wave: batch_number }));
    if (assigned_to === null) said.push(t("waitsForPicker", { wave: batch_number }));
  }
  if (left_out) {
    const what = sentenceOf("SO_LEFT_OUT", left_out.reason, {}) ?? left_out.reason;
    said.push(t("leftOut", { what, time: time(left_out.at) }));
  }
  return said;
}

function Lacking({ of: { sku, units, stock, coming } }: { of: WhyOrder["lacks"][number] }) {
  const title = t("lacksOf", { units, sku });
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <Coming of={coming} />
      <DataTable
        title={title}
        rows={stock}
        empty={t("noUnits")}
        columns={[
          {
            field: "bin_code",
            title: t("bin"),
            show: ({ bin_id, bin_code }) => <MaybeLink to={`/bins/${bin_id}`}>{bin_code}</MaybeLink>,
          },
          { field: "lot_number", title: t("lot") },
          { field: "expiry_date", title: t("expiry"), as: "day" },
          { field: "quantity_on_hand", title: t("onHand"), as: "number" },
          { field: "quantity_available", title: t("available"), as: "number" },
          {
            field: "reason",
            title: t("reason"),
            show: ({ reason }) => (reason === null ? t("mayUse") : reasonText(reason)),
          },
          {
            field: "reserved_for",
            title: t("reservedFor"),
            show: ({ reserved_for }) => reserved_for.map(({ number, units }) => `${number} (${units})`).join(", "),
          },
        ]}
      />
    </div>
  );
}
