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
  /** It is there already in this format, and the route takes none. */
  drawn?: "pdf" | "zpl";
  isSmall?: boolean;
}

/** Sends it to a printer that prints this, or opens it as a file, for a printer of pages or one of labels. */
export function Printout({ label, path, print, warehouseId, drawn, isSmall = false }: PrintoutProps) {
  const printers = usePrintersFor(print.document, warehouseId);
  const as = (format: string) => (drawn ? path : `${path}${path.includes("?") ? "&" : "?"}format=${format}`);
  const send = useAction(({ to }: { to: string }, api) =>
    api.post("/api/printing/jobs", { body: { ...print, copies: 1, printer_id: Number(to) } }),
  );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size={isSmall ? "xs" : "sm"} loading={send.isPending}>
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {printers.map(({ printer_id, printer_name }) => (
            <Menu.Item key={printer_id} onClick={() => send.mutate({ to: String(printer_id) })}>
              {t("printOn", { printer: printer_name })}
            </Menu.Item>
          ))}
          {(["pdf", "zpl"] as const)
            .filter((format) => !drawn || format === drawn)
            .map((format) => (
              <Menu.Item key={format} component="a" href={as(format)} target="_blank" rel="noreferrer">
                {t(format === "pdf" ? "asPdf" : "asZpl")}
              </Menu.Item>
            ))}
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
