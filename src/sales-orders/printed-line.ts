import { type LineProperties, shownProperties } from "./properties.js";

interface PrintedLot {
  quantity: number;
  lot_number: string;
  expiry_date: string | null;
  /** Where it lies, as long as it is to be picked. */
  bin_code?: string;
}

/** What is printed of a line beneath its item: the customer's wishes, and which lots it is of. */
export const detailsOf = (line: { properties: LineProperties; lots?: PrintedLot[] | undefined }): string[] => [
  ...shownProperties(line.properties).map(({ name, value }) => `${name}: ${value}`),
  ...(line.lots ?? []).map(lotText),
];

function lotText({ quantity, lot_number, expiry_date, bin_code }: PrintedLot): string {
  const where = bin_code ? `${bin_code}: ` : "";
  return `${where}${quantity} of lot ${lot_number}${expiry_date ? `, expires ${expiry_date}` : ""}`;
}
