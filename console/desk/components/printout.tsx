import { Button, Menu, Text } from "@mantine/core";
import type { NewPrintJob } from "../../../client/src/index.js";
import { useAction } from "../../shared/api.js";
import { usePrintersFor } from "../../shared/printers.js";
import { t } from "../../texts/desk.js";
import { Refused } from "./states.js";

interface PrintoutProps {
  label: string;
  /** A route with `format`. */
  path: string;
  /** The same for printers, which are those of this warehouse. */
  print: Pick<NewPrintJob, "document" | "record_ids">;
  warehouseId: number;
}

/** Sends it to a printer that prints this, or opens it as a file, for a printer of pages or one of labels. */
export function Printout({ label, path, print, warehouseId }: PrintoutProps) {
  const printers = usePrintersFor(print.document, warehouseId);
  const as = (format: string) => `${path}${path.includes("?") ? "&" : "?"}format=${format}`;
  const send = useAction(({ to }: { to: string }, api) =>
    api.post("/api/printing/jobs", { body: { ...print, copies: 1, printer_id: Number(to) } }),
  );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={send.isPending}>
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {printers.map(({ printer_id, printer_name }) => (
            <Menu.Item key={printer_id} onClick={() => send.mutate({ to: String(printer_id) })}>
              {t("printOn", { printer: printer_name })}
            </Menu.Item>
          ))}
          <Menu.Item component="a" href={as("pdf")} target="_blank" rel="noreferrer">
            {t("asPdf")}
          </Menu.Item>
          <Menu.Item component="a" href={as("zpl")} target="_blank" rel="noreferrer">
            {t("asZpl")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Refused error={send.error} />
      {send.isSuccess && (
        <Text role="status" size="sm">
          {t("sentToPrinter", { printer: send.data.printer_name })}
        </Text>
      )}
    </>
  );
}
