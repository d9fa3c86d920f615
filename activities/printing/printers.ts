import { type EncryptionKeys, seal } from "../../src/auth/sealed.js";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { SizeNotOnRoll } from "../../src/platform/labels/shapes.js";
import { placeOf } from "../../src/printing/addresses.js";
import { fits, isOnRoll } from "../../src/printing/kinds.js";
import {
  DocumentNotOnSize,
  PrinterAddressRefused,
  PrinterApiKey,
  PrinterExists,
  PrinterNotFound,
} from "../../src/printing/problems.js";
import { PRINTER } from "../../src/printing/queries.js";
import { apiKeyOwner } from "../../src/printing/secrets.js";
import { type NewPrinter, Printer, type PrinterChanges } from "../../src/printing/shapes.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, withChanges } from "../edit.js";
import { checkWarehouseExists } from "../master-data/warehouses.js";

/** What looking its address up said: why no printer may be there; undefined where one may. */
type Refused = string | undefined;

/** Sets a printer of a warehouse up (docs/printing.md). */
export function createPrinter(
  { api_key, ...input }: NewPrinter,
  refused: Refused,
  keys: EncryptionKeys,
  by: Actor,
): Promise<Printer> {
  return command("printers.create", by, { ...input, has_key: api_key !== undefined }, async (tx) => {
    const { warehouse_id, ...fields } = input;
    await checkWarehouseExists(tx, warehouse_id);
    check(input, refused);
    if ((input.kind === "printnode") !== (api_key !== undefined)) throw PrinterApiKey();
    const next = "select nextval(pg_get_serial_sequence('printers', 'printer_id'))::int as id";
    const { id } = (await tx.row({ id: int }, next, [])) as { id: number };
    const made = await refusingDuplicate(
      tx.row(
        Printer,
        `insert into printers as p (printer_id, warehouse_id, printer_name, kind, address, api_key_sealed, format, size,
           dpi, station, documents)
         values (:id, :warehouse_id, :printer_name, :kind, :address, :api_key_sealed, :format, :size, :dpi, :station,
           :documents)
         returning ${PRINTER}`,
        { ...input, id, api_key_sealed: api_key === undefined ? null : seal(api_key, apiKeyOwner(id), keys) },
      ),
      PrinterExists({ printer_name: input.printer_name }),
    );
    tx.audit({ action: "CREATE", ...entityOf(made as Printer), details: fields });
    return made as Printer;
  });
}

/** Changes the sent fields of a printer, which stays of its kind and in its warehouse. */
export function updatePrinter(
  printer_id: number,
  { api_key, ...changes }: PrinterChanges,
  refused: Refused,
  keys: EncryptionKeys,
  by: Actor,
): Promise<Printer> {
  const input = { printer_id, ...changes, has_key: api_key !== undefined };
  return command("printers.update", by, input, async (tx) => {
    const before = await lockPrinter(tx, printer_id);
    const after = withChanges(before, changes);
    check(after, refused);
    checkKey(before, after, api_key);
    const written = await refusingDuplicate(
      tx.row(
        Printer,
        `update printers as p
         set printer_name = :printer_name, address = :address, format = :format, size = :size, dpi = :dpi,
             station = :station, documents = :documents, is_active = :is_active,
             api_key_sealed = coalesce(:sealed, api_key_sealed), updated_at = now()
         where printer_id = :printer_id returning ${PRINTER}`,
        { ...after, sealed: api_key === undefined ? null : seal(api_key, apiKeyOwner(printer_id), keys) },
      ),
      PrinterExists({ printer_name: after.printer_name }),
    );
    const details = api_key === undefined ? {} : { api_key: "changed" };
    auditEdit(tx, { ...entityOf(before), details }, before, after);
    return written as Printer;
  });
}

/** Deletes a printer, with its jobs: what has not been printed is not printed any more. */
export function deletePrinter(printer_id: number, by: Actor): Promise<{ message: string }> {
  return command("printers.delete", by, { printer_id }, async (tx) => {
    const printer = await lockPrinter(tx, printer_id);
    await tx.run("delete from printers where printer_id = $1", [printer_id]);
    const { printer_name, address } = printer;
    tx.audit({ action: "DELETE", ...entityOf(printer), details: { printer_name, address } });
    return { message: `Printer ${printer_name} deleted` };
  });
}

/** What must hold of a printer, whoever says it. */
function check(printer: Pick<Printer, "kind" | "address" | "format" | "size" | "documents">, refused: Refused): void {
  const { kind, address, format, size } = printer;
  placeOf(kind, address);
  if (refused !== undefined) throw PrinterAddressRefused({ why: refused });
  if (format === "zpl" && !isOnRoll(size)) throw SizeNotOnRoll({ size });
  for (const document of printer.documents) if (!fits(document, size)) throw DocumentNotOnSize({ document, size });
}

/** A key is sent only to the service that it was given for: whoever changes the address need not know it. */
function checkKey(before: Printer, after: Printer, key: string | undefined): void {
  const isService = before.kind === "printnode";
  if (!isService && key !== undefined) throw PrinterApiKey();
  if (isService && key === undefined && new URL(before.address).origin !== new URL(after.address).origin)
    throw PrinterApiKey();
}

async function lockPrinter(tx: Tx, printerId: number): Promise<Printer> {
  const sql = `select ${PRINTER} from printers p where printer_id = $1 for update of p`;
  const printer = await tx.row(Printer, sql, [printerId]);
  if (!printer) throw PrinterNotFound();
  return printer;
}

export const entityOf = ({ printer_id, warehouse_id }: Pick<Printer, "printer_id" | "warehouse_id">) => ({
  entity: "PRINTER",
  entityId: printer_id,
  warehouseId: warehouse_id,
});
