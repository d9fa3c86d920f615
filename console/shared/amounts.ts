import { digitsOf, amountOf as exactAmountOf } from "../../src/platform/minor-units.js";
import { money, NOTHING } from "./format.js";

/** Amounts in the smallest unit of their currency, as people write them: 1290 EUR is `12.90`, 1290 JPY is `1290`. */

/** What is no code of three letters stands for no currency, which has two digits. */
const known = (currency: string) => (/^[A-Z]{3}$/i.test(currency) ? currency : "XXX");

export const amountOf = (minor: number, currency: string): string => exactAmountOf(minor, known(currency));

/** An amount with too many digits behind the point stays as it is: the service takes whole numbers alone. */
export function minorOf(amount: string, currency: string): number {
  const digits = digitsOf(known(currency));
  const text = amount.trim().replace(",", ".");
  const [whole = "", part = ""] = text.split(".");
  return part.length > digits ? Number(text) : Number(`${whole}${part.padEnd(digits, "0")}`);
}

/** The same with its currency. */
export const moneyOf = (minor: number | null | undefined, currency: string | null | undefined): string =>
  typeof minor === "number" ? money(amountOf(minor, currency ?? ""), currency) : NOTHING;
