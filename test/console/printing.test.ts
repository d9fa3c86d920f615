import assert from "node:assert/strict";
import { floorWorker, into } from "../support/at-scanner.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { openRawPrinter, PRINTER_ENV } from "../support/printers.js";
import { insertPrintJob, PRINTERS, printerBody } from "../support/printing-requests.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

describe("the console's printing", () => {
  let service: TestService;
  let admin: string;
  let warehouse_id: number;
  let shelf: number;
  let printer: Awaited<ReturnType<typeof openRawPrinter>>;
  before(async () => {
    service = await openService({ worker: true, env: PRINTER_ENV });
    admin = (await person()).username;
    warehouse_id = await warehouse();
    shelf = await bin(warehouse_id, { code: "A-01" });
    printer = await openRawPrinter();
  });
  const browser = consoleBrowser(() => service);
  after(async () => {
    await printer.close();
    await service.close();
  });
  beforeEach(() => db.run("delete from printers"));

  const printerOf = (fields: object = {}): Promise<{ printer_id: number }> => {
    const raw = { kind: "raw9100", address: printer.address, api_key: undefined, printer_name: "Bench 1" };
    return service.admin.ok("POST", PRINTERS, printerBody(warehouse_id, { ...raw, ...fields }));
  };

  it("sets a printer up, changes it, takes it out of use and deletes it", async () => {
    const page = await browser.open({ path: "/console/printers", username: admin });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New printer" }).click();
    await dialog.getByLabel("Warehouse").selectOption(String(warehouse_id));
    await dialog.getByLabel("Name").fill("Bench 1");
    await dialog.getByLabel("Address").fill(printer.address);
    await dialog.getByLabel("Station").fill("Bench 1");
    for (const name of ["Bin label", "Item label"]) await dialog.getByLabel(name).check();
    await browser.check(page, "printing-new-printer");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "Bin label, Item label" }).waitFor();

    await page.getByRole("button", { name: "Test page" }).click();
    await confirmDialog(page);
    await until(() => printer.printed.some((text) => text.includes("Test page")));

    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Address").fill("10.0.0.1");
    await dialog.locator("[type=submit]").click();
    await dialog.getByText("No printer may be there").waitFor();
    await dialog.getByLabel("Address").fill(printer.address);
    await dialog.getByLabel("Label or paper").selectOption("57x32");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "ZPL · 57x32" }).waitFor();
    await page.getByRole("button", { name: "Take out of use" }).click();
    await confirmDialog(page);
    await page.getByRole("cell", { name: "Inactive" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await confirmDialog(page);
    await page.getByText("No printers yet").waitFor();
    assert.equal(await db.value("select count(*)::int from printers"), 0);
  });

  it("prints a label on the printer for it, and saves a file where that is chosen", async () => {
    await printerOf({ documents: ["bin_label"] });
    const page = await browser.open({ path: `/console/bins/${shelf}`, username: admin });
    const dialog = page.getByRole("dialog");
    const before = printer.printed.length;
    await page.getByRole("button", { name: "Print label" }).click();
    await dialog.getByLabel("Print on").waitFor();
    await browser.check(page, "printing-label");
    await confirmDialog(page);
    await until(() => printer.printed.length === before + 1);
    assert.ok(printer.printed.at(-1)?.includes("A-01"));
    await page.getByRole("button", { name: "Print label" }).click();
    await dialog.getByLabel("Print on").selectOption({ label: "A file" });
    const [file] = await Promise.all([page.waitForEvent("download"), dialog.locator("[type=submit]").click()]);
    assert.equal(file.suggestedFilename(), "bin-A-01.pdf");
  });

  it("prints the packing slip of an order, and says so", async () => {
    await printerOf({ documents: ["packing_slip"], size: "4x6in" });
    const { so_id } = await salesOrder(warehouse_id, [{ item_id: (await item()).item_id, quantity: 2 }]);
    const page = await browser.open({ path: `/console/orders/${so_id}`, username: admin });
    await page.getByRole("button", { name: "Packing slip" }).click();
    await page.getByRole("menuitem", { name: "Print on Bench 1" }).click();
    await page.getByRole("status").getByText("Sent to Bench 1").waitFor();
    await until(() => printer.printed.at(-1)?.includes("Packing slip") === true);
  });

  it("prints the picking tickets of a wave, which count as printed then", async () => {
    await printerOf({ documents: ["picking_ticket"], size: "4x6in" });
    const { item_id } = await item();
    await stock(warehouse_id, shelf, item_id, 5);
    const { so_id, so_number } = await salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const { batch_id } = await service.admin.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    const page = await browser.open({ path: `/console/waves/${batch_id}`, username: admin });
    await page.getByRole("button", { name: "Picking tickets" }).click();
    await page.getByRole("menuitem", { name: "Print on Bench 1" }).click();
    await page.getByRole("status").getByText("Sent to Bench 1").waitFor();
    await until(() => printer.printed.some((text) => text.includes("Picking ticket") && text.includes(so_number)));
    const printedAt = () => db.value("select printed_at from sales_orders where so_id = $1", [so_id]);
    await until(async () => (await printedAt()) !== null);
  });

  it("lists what failed, from the inbox too, and has it printed again or discards it", async () => {
    const { printer_id } = await printerOf();
    const [again, discarded] = [await insertPrintJob(printer_id), await insertPrintJob(printer_id)];
    await db.run("update print_jobs set document = 'test_page' where job_id = $1", [again]);
    await db.run("update print_jobs set title = 'B-02' where job_id = $1", [discarded]);
    await browser.look("printing-jobs", { path: "/console/print-jobs", username: admin }, (page) =>
      page.getByText("No connection").first().waitFor(),
    );
    const page = await browser.open({ path: "/console/inbox", username: admin });
    await page.getByRole("link", { name: "B-02" }).click();
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("B-02").getByRole("button", { name: "Discard" }).click();
    await confirmDialog(page);
    await row("A-01").getByRole("button", { name: "Print again" }).click();
    await confirmDialog(page);
    const statusOf = (id: number) => db.value<string>("select status from print_jobs where job_id = $1", [id]);
    await until(async () => (await statusOf(again)) === "printed" && (await statusOf(discarded)) === "cancelled");
  });

  it("shows what became of a print by itself", async () => {
    const { printer_id } = await printerOf();
    const page = await browser.open({ path: "/console/print-jobs", username: admin });
    await page.getByText("Nothing was printed yet").waitFor();
    await insertPrintJob(printer_id);
    await page.getByRole("row").filter({ hasText: "A-01" }).getByText("Failed").waitFor();
  });

  it("names the printer that is used where several print the same, until one is taken out of use", async () => {
    await printerOf({ printer_name: "Bench 2", documents: ["bin_label", "item_label"] });
    await printerOf({ printer_name: "Bench 1", documents: ["bin_label"] });
    // Of another place: a station, or another warehouse.
    await printerOf({ printer_name: "Bench 0", documents: ["bin_label"], station: "Dock" });
    await printerOf({ printer_name: "Bench 0", documents: ["bin_label"], warehouse_id: await warehouse() });
    const visit = { path: "/console/printers", username: admin };
    await browser.look("printing-rivals", visit, (page) => page.getByRole("alert").waitFor());
    const page = await browser.open(visit);
    const warning = page.getByRole("alert");
    await warning.waitFor();
    const code = await db.value<string>("select warehouse_code from warehouses where warehouse_id = $1", [
      warehouse_id,
    ]);
    assert.deepEqual(await warning.getByRole("listitem").allInnerTexts(), [
      `Bin label at ${code}: Bench 1 is used; Bench 2 only where somebody chooses it.`,
    ]);
    const by = { document: "bin_label", record_ids: [shelf], warehouse_id };
    assert.equal((await service.admin.ok("POST", "/api/printing/jobs", by)).printer_name, "Bench 1");
    await page.getByRole("row").filter({ hasText: "Bench 1" }).getByRole("button", { name: "Take out of use" }).click();
    await confirmDialog(page);
    await warning.waitFor({ state: "detached" });
    assert.equal((await service.admin.ok("POST", "/api/printing/jobs", by)).printer_name, "Bench 2");
  });

  it("prints at the scanner on the printers that print such, the last one of the device first", async () => {
    for (const printer_name of ["Bench 1", "Bench 2"]) await printerOf({ printer_name, documents: ["bin_label"] });
    const worker = await floorWorker(warehouse_id);
    const page = await browser.open({ path: "/scan/look-up", username: worker, size: "phone" });
    const shown = async () => {
      await page
        .getByRole("button", { name: /^Print the label on/ })
        .first()
        .waitFor();
      return page.getByRole("button", { name: /^Print the label on/ }).allInnerTexts();
    };
    await into(page, "Scan an item or a bin, or type a part of its name", "A-01");
    assert.deepEqual(await shown(), ["Print the label on Bench 1", "Print the label on Bench 2"]);
    const before = printer.printed.length;
    await page.getByRole("button", { name: "Print the label on Bench 2" }).click();
    await page.getByText("Sent to Bench 2.").waitFor();
    await browser.check(page, "scan-print");
    await until(() => printer.printed.length > before);
    await page.reload();
    await into(page, "Scan an item or a bin, or type a part of its name", "A-01");
    assert.deepEqual(await shown(), ["Print the label on Bench 2", "Print the label on Bench 1"]);
  });
});
