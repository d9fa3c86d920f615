import type { SalesOrder } from "../../../../client/src/index.js";

export const whose = ["shipping", "billing"] as const;
export type Whose = (typeof whose)[number];
export const parts = ["name", "line1", "line2", "city", "state", "postal_code", "country", "phone"] as const;
export const partOf = (order: SalesOrder, of: Whose, part: (typeof parts)[number]) =>
  order[`${of}_address_${part}`] ?? "";

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const isSaidIn = (lines: string[], text: string) => {
  const said = new Set(wordsOf(lines.join(" ")));
  return wordsOf(text).every((word) => said.has(word));
};

/**
 * The lines of an address. Orders have the one they ship to in one text, too: it is shown where it says more of the
 * same street. Another street in it is the address before a correction, and nothing is sent there.
 */
export function linesOf(order: SalesOrder, of: Whose): string[] {
  const lines = parts.map((part) => partOf(order, of, part)).filter(Boolean);
  const inOneText = (of === "shipping" && order.ship_address) || "";
  const isOfStreet = isSaidIn([inOneText], partOf(order, of, "line1"));
  return isSaidIn(lines, inOneText) || !isOfStreet ? lines : [...lines, inOneText];
}

/** The address of the customer, where it is not the one that the order ships to. */
export const customerAddressOf = (order: SalesOrder) =>
  isSaidIn(linesOf(order, "shipping"), order.customer_address ?? "") ? null : order.customer_address;
