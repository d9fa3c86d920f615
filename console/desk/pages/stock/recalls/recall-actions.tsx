import { Checkbox, TextInput } from "@mantine/core";
import type { RecallDetail } from "../../../../../client/src/index.js";
import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/lots.js";
import { Decision } from "../../../components/decision.js";
import { SerialsField, serialsIn } from "../../../components/serials-field.js";
import { typed } from "../../../values.js";
import { ReasonField, UnitsField } from "../holds/hold-fields.js";
import { unitsOf } from "../units-of.js";

/** Ends a recall; by force while units are not accounted for. */
export function Close({ recall: { recall_id, status, units_open } }: { recall: RecallDetail }) {
  if (status !== "OPEN") return null;
  const isOpen = units_open > 0;
  return (
    <Decision
      isDangerous={isOpen}
      label={t("closeRecall")}
      title={t("closeRecallTitle", { number: recall_id })}
      act={({ reason, force }, api) =>
        api.post("/api/admin/recalls/{recall_id}/close", {
          ...{ path: { recall_id }, body: { reason: typed(reason), force: force === "true" } },
        })
      }
    >
      {isOpen && t("unitsOpen", { units: number(units_open) })}
      <ReasonField isFirst isOptional={!isOpen} />
      {isOpen && <Checkbox name="force" value="true" label={t("force")} />}
    </Decision>
  );
}

interface DestroyProps {
  recall_id: number;
  place: RecallDetail["places"][number];
}

export const Destroy = ({ recall_id, place }: DestroyProps) => (
  <Decision
    isSmall
    isDangerous
    label={t("destroy")}
    verb={t("noteDestroyed")}
    title={t("destroyTitle", { sku: unitsOf(place), bin: place.bin_code })}
    act={({ quantity, reason = "", ...values }, api) => {
      const { inventory_id } = place;
      const body = { inventory_id, quantity: Number(quantity), reason, serial_numbers: serialsIn(values) };
      return api.post("/api/admin/recalls/{recall_id}/destroy", { path: { recall_id }, body });
    }}
  >
    <UnitsField most={place.quantity_on_hand} />
    <SerialsField of={place} />
    <ReasonField />
  </Decision>
);

interface TellProps {
  recall_id: number;
  so_ids: number[];
  label: string;
  title: string;
  isSmall?: boolean;
}

/** Notes that the customers of orders were told. */
export const Tell = ({ recall_id, so_ids, ...looks }: TellProps) => (
  <Decision
    {...looks}
    act={({ note }, api) =>
      api.post("/api/admin/recalls/{recall_id}/told", {
        ...{ path: { recall_id }, body: { so_ids, note: typed(note) } },
      })
    }
  >
    <TextInput name="note" label={t("howTold")} maxLength={500} data-autofocus />
  </Decision>
);
