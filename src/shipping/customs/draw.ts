import { Decimal } from "decimal.js";
import { drawing } from "../../platform/labels/drawing.js";
import { Pages, type PrintedColumn } from "../../platform/labels/pages.js";
import { amountOf } from "../../platform/minor-units.js";
import { GRAMS_PER_POUND } from "../measures.js";
import { type ContentKind, type CustomsDeclaration, type CustomsForm, contentKinds } from "./shapes.js";

/** What is drawn: a complete declaration. */
export interface CustomsPaper {
  form: CustomsForm;
  contents: ContentKind;
  /** The day of the paper, as text. */
  day: string;
  /** The code of the parcel. */
  barcode: string;
  declaration: CustomsDeclaration;
}

const titles: Record<CustomsForm, string> = {
  cn22: "Customs declaration CN 22",
  cn23: "Customs declaration CN 23",
  invoice: "Commercial invoice",
};

const CERTIFIED =
  "May be opened officially. I certify that the particulars given in this declaration are correct and that this item " +
  "does not contain any dangerous article prohibited by legislation or by postal or customs regulations.\n\n";

const columns: PrintedColumn[] = [
  { title: "Item, tariff number, origin", left: 0, right: 0.56 },
  ...["Units", "kg", "Value"].map((title, i) => ({ title, ...at(i), align: "right" as const })),
];

/** The pages of a declaration or an invoice for customs. */
export const customsPages = drawing(import.meta.url, "customsPages", (paper: CustomsPaper, newSheet) => {
  const { form, contents, day, barcode, declaration } = paper;
  const { so_number, tracking_number, sender, recipient, lines, gross_weight_lbs, total_quantity } = declaration;
  const title = titles[form];
  const pages = new Pages(newSheet, so_number, `${title}, order ${so_number}`, columns);
  const [company_name = "", company_address = ""] = sender;
  const facts: [string, string | null][] = [
    ["Order", so_number],
    ["Tracking", tracking_number],
    ["Contents", contentKinds[contents]],
    ["Gross", gross_weight_lbs === null ? null : `${kilograms(gross_weight_lbs)} kg`],
    ["Day", day],
  ];
  pages.head({ title, company_name, company_address, barcode, facts });
  pages.blocks([{ title: "To", lines: recipient, left: 0, right: 1 }]);
  pages.tableHead();
  for (const { sku, description, quantity, hs_code, origin_country, net_weight_lbs, value_minor, currency } of lines)
    pages.row(
      { sku, item_name: description },
      [String(quantity), kilograms(net_weight_lbs), amountOf(value_minor ?? 0, currency ?? "")],
      [`${hs_code} ${origin_country}`],
    );
  const net = lines.reduce((sum, line) => sum.plus(line.net_weight_lbs ?? 0), new Decimal(0)).toNumber();
  const { total_minor, currency } = declaration;
  const total = amountOf(total_minor ?? 0, currency ?? "");
  pages.row({ sku: "Total", item_name: `in ${currency}` }, [String(total_quantity), kilograms(net), total], []);
  pages.end(`${form === "invoice" ? "" : CERTIFIED}Date and signature of the sender:\n\n`);
  return pages.finished();
});

const kilograms = (lbs: number | null): string => new Decimal(lbs ?? 0).times(GRAMS_PER_POUND).div(1_000).toFixed(3);

/** The fractions of the width between which a figure is printed. */
function at(i: number) {
  return { left: 0.58 + i * 0.14, right: 0.71 + i * 0.145 };
}
