import { Stack } from "@mantine/core";
import { type EventType, eventTypes, scopeChoices } from "../../../texts/scopes.js";
import { t } from "../../../texts/tokens.js";
import { Choices, chosenOf } from "../../components/choices.js";
import { useWarehouseNames } from "../../components/warehouse-names.js";

export interface Selection {
  event_types?: EventType[];
  warehouse_ids?: number[];
}

interface SelectionFieldsProps {
  of?: Selection;
  /** What stands above the choices where nothing chosen is not all. */
  labels?: { events: string; warehouses: string };
}

/** Which events a partner gets; nothing chosen is all of them, unless the labels say something else. */
export function SelectionFields({ of = {}, labels }: SelectionFieldsProps) {
  const warehouses = useWarehouseNames();
  return (
    <Stack>
      <Choices
        name="event_types"
        label={labels?.events ?? t("selectEvents")}
        choices={scopeChoices(eventTypes)}
        chosen={of.event_types ?? []}
      />
      <Choices
        name="warehouse_ids"
        label={labels?.warehouses ?? t("selectWarehouses")}
        choices={warehouses}
        chosen={of.warehouse_ids ?? []}
      />
    </Stack>
  );
}

export function selectionOf(values: Record<string, string>): Selection {
  const event_types = chosenOf(values, "event_types") as EventType[];
  const warehouse_ids = chosenOf(values, "warehouse_ids").map(Number);
  return { ...(event_types.length > 0 && { event_types }), ...(warehouse_ids.length > 0 && { warehouse_ids }) };
}
