import { drawing } from "../platform/labels/drawing.js";

/** What a test page says. */
export interface TestPage {
  printer_name: string;
  warehouse_code: string;
  /** Kind, format and size. */
  how: string;
}

/** Shows that a printer is reached, and whether its size and its resolution are those that it was given. */
export const testPages = drawing(import.meta.url, "testPages", function* (page: TestPage, newSheet) {
  const sheet = newSheet();
  const { height, width } = sheet.inner;
  const size = Math.min(height * 0.16, width * 0.08, 14);
  sheet.rule(sheet.size.margin);
  sheet.write(sheet.part(0.03, 0.2), page.printer_name, { size, lines: 2, weight: "bold", align: "center" });
  const line = { size: size * 0.6, align: "center" } as const;
  sheet.write(sheet.part(0.2, 0.32), `Test page · ${page.warehouse_code}`, line);
  sheet.barcode({ ...sheet.part(0.35, 0.8), height: Math.min(height * 0.45, 40) }, "TEST-0123456789");
  sheet.write(sheet.part(0.84, 0.96), page.how, line);
  sheet.rule(sheet.size.height - sheet.size.margin);
  yield sheet;
});
