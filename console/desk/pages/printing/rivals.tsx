import { Alert, List } from "@mantine/core";
import type { Answer } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/printing.js";
import { useWarehouse } from "../../components/warehouse.js";
import { documentChoices } from "./documents.js";

type Printer = Answer<"/api/printing/printers">["printers"][number];

/** Names the printers of which only the first one is used, because they print the same at the same place. */
export function Rivals() {
  const { warehouses } = useWarehouse();
  // In the order in which the service chooses among them.
  const { data } = useRead("/api/printing/printers", { query: {} });
  const rivals = Object.entries(documentChoices()).flatMap(([document, called]) =>
    [...placesOf(data?.printers ?? [], document).values()].flatMap(([used, ...others]) =>
      used && others.length > 0 ? [{ document: called, used, others }] : [],
    ),
  );
  if (rivals.length === 0) return null;
  const codeOf = (id: number) => warehouses.find((warehouse) => warehouse.id === id)?.code ?? String(id);
  return (
    <Alert
      color="orange"
      variant="light"
      title={t("rivals")}
      styles={{ title: { color: "var(--mantine-color-text)" } }}
    >
      <List size="sm">
        {rivals.map(({ document, used: { printer_id, printer_name, station, warehouse_id }, others }) => (
          <List.Item key={`${document} ${printer_id}`}>
            {t("rivalsOf", {
              place: [codeOf(warehouse_id), station].filter(Boolean).join(" · "),
              ...{ document, used: printer_name, others: others.map((one) => one.printer_name).join(", ") },
            })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The printers that print such a document, by warehouse and station. */
function placesOf(printers: Printer[], document: string): Map<string, Printer[]> {
  const places = new Map<string, Printer[]>();
  for (const printer of printers.filter(({ documents }) => documents.some((one) => one === document))) {
    const place = JSON.stringify([printer.warehouse_id, printer.station]);
    places.set(place, [...(places.get(place) ?? []), printer]);
  }
  return places;
}
