import { useState } from "react";
import { type NewPrintJob, urlOf } from "../../../client/src/index.js";
import { useAction } from "../../shared/api.js";
import { Icon } from "../../shared/icons.js";
import { keptOnDevice } from "../../shared/kept.js";
import { usePrintersFor } from "../../shared/printers.js";
import { t } from "../../texts/scan.js";
import { Done, Refused } from "./parts.js";
import { useWarehouse } from "./warehouse.js";

interface PrintProps {
  /** The route of the file. */
  path: string;
  label: string;
  /** For printers. */
  print: Pick<NewPrintJob, "document" | "record_ids">;
  /** It is there already, and its route takes no format. */
  isDrawn?: boolean;
}

/**
 * A label or paper: on a printer of the warehouse that prints such, or as a file, as the printer of the device takes
 * it, or as a label printer does.
 */
export function Print({ path, label, print, isDrawn = false }: PrintProps) {
  const { warehouse } = useWarehouse();
  const printers = usePrintersFor(print.document, warehouse.id);
  return (
    <>
      {printers.length > 0 && <OnPrinters {...{ label, print, printers }} />}
      <p className="row">
        <a
          className="button"
          href={isDrawn ? path : urlOf(path, {}, { format: "pdf" })}
          target="_blank"
          rel="noreferrer"
        >
          <Icon of="print" /> {label}
        </a>
        {!isDrawn && (
          <a
            className="button square"
            href={urlOf(path, {}, { format: "zpl" })}
            target="_blank"
            rel="noreferrer"
            aria-label={`${label}, ZPL`}
          >
            ZPL
          </a>
        )}
      </p>
    </>
  );
}

interface OnPrintersProps extends Omit<PrintProps, "path" | "isDrawn"> {
  printers: { printer_id: number; printer_name: string }[];
}

/** A button for each; first the one that this device used last. */
function OnPrinters({ label, print, printers }: OnPrintersProps) {
  const last = keptOnDevice<number | null>("printer", null);
  const [first] = useState(last.get());
  const [sentTo, setSentTo] = useState<string>();
  const { mutate, isPending, error } = useAction(
    ({ printer_id }: OnPrintersProps["printers"][number], api) =>
      api.post("/api/printing/jobs", { body: { ...print, printer_id } }),
    ({ printer_id, printer_name }) => {
      last.set(printer_id);
      setSentTo(printer_name);
    },
  );
  const inOrder = printers.toSorted((a, b) => Number(b.printer_id === first) - Number(a.printer_id === first));
  return (
    <>
      {inOrder.map((printer) => (
        <button key={printer.printer_id} type="button" disabled={isPending} onClick={() => mutate(printer)}>
          {t("printOn", { label, printer: printer.printer_name })}
        </button>
      ))}
      {sentTo && !error && <Done>{t("sentTo", { printer: sentTo })}</Done>}
      <Refused error={error} />
    </>
  );
}
