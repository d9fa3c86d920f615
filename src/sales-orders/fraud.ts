const comparedParts = ["line1", "line2", "city", "state", "postal_code"];

/**
 * Whether the billing and the shipping address differ; letter case and spaces do not count, and an empty address never
 * differs (docs/interface.md, Inbound).
 */
export function addressesDiffer(order: Record<string, unknown>): boolean {
  const [billing, shipping] = ["billing", "shipping"].map((which) =>
    comparedParts.map((part) => normalized(order[`${which}_address_${part}`])),
  ) as [string[], string[]];
  const populated = (address: string[]) => address.some((part) => part !== "");
  return populated(billing) && populated(shipping) && billing.some((part, i) => part !== shipping[i]);
}

const normalized = (value: unknown) =>
  String(value ?? "")
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ");
