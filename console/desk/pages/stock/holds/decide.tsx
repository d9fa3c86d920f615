import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Inspection, InspectionDecision } from "../../../../../client/src/index.js";
import { isAdmin, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/lots.js";
import { Decision } from "../../../components/decision.js";
import { SerialsField, serialsIn } from "../../../components/serials-field.js";
import { optionsOf } from "../../../values.js";
import { ReasonField, UnitsField } from "./hold-fields.js";

/** What becomes of inspected units, as people call it. */
export const decisions = (): Record<InspectionDecision["decision"], string> => ({
  release: t("release"),
  hold: t("keepOnHold"),
  damage: t("damaged"),
  return_to_supplier: t("toSupplier"),
});

/** Decides about units of an inspection; about a lot as a whole, and then by an administrator. */
export function Decide({ inspection, isSmall = false }: { inspection: Inspection; isSmall?: boolean }) {
  const mayDecide = isAdmin(useMe()) || inspection.lot_id === null;
  const { inspection_id, sku, lot_id, quantity_open, status } = inspection;
  if (status !== "OPEN" || !mayDecide) return null;
  return (
    <Decision
      isSmall={isSmall}
      label={t("decide")}
      title={t("decideTitle", { number: inspection_id, sku })}
      act={({ decision, quantity, reason = "", ...values }, api) =>
        api.post("/api/admin/inspections/{inspection_id}/decide", {
          path: { inspection_id },
          body: {
            ...{ decision: decision as InspectionDecision["decision"], reason },
            ...(lot_id === null && { quantity: Number(quantity) }),
            serial_numbers: serialsIn(values),
          },
        })
      }
    >
      <WhatBecomes inspection={inspection} />
      {lot_id === null && <UnitsField most={quantity_open} />}
      <ReasonField />
    </Decision>
  );
}

/** The decision; units that go back to the supplier are named where they have serial numbers. */
function WhatBecomes({ inspection }: { inspection: Inspection }) {
  const [decision, setDecision] = useState("release");
  return (
    <>
      <NativeSelect
        name="decision"
        label={t("decision")}
        data={optionsOf(decisions())}
        value={decision}
        onChange={({ currentTarget }) => setDecision(currentTarget.value)}
        data-autofocus
      />
      {decision === "return_to_supplier" && <SerialsField of={inspection} />}
    </>
  );
}
