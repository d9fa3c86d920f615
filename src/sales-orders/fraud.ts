const compared = ["line1", "line2", "city", "state", "postal_code"];

/** Whether an order is billed to another place than it is shipped to; spelling does not count (reference 04 §5.5). */
export function addressesDiffer(order: Record<string, unknown>): boolean {
  const [billing, shipping] = ["billing", "shipping"].map((which) =>
    compared.map((part) => plain(order[`${which}_address_${part}`])),
  ) as [string[], string[]];
  const populated = (address: string[]) => address.some((part) => part !== "");
  return (
    populated(billing) &&
    populated(shipping) &&
    billing.some((part, i) => part !== shipping[i])
  );
}

const plain = (value: unknown) =>
  String(value ?? "")
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ");
