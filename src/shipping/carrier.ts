const carriers: [inMethod: RegExp, carrier: string][] = [
  [/usps/i, "USPS"],
  [/ups/i, "UPS"],
  [/fed ?ex/i, "FedEx"],
  [/dhl/i, "DHL"],
  [/amazon/i, "Amazon"],
];

/** The carrier that a free-text ship method names (docs/interface.md, Sales orders); "Other" when it names none. */
export function carrierOf(shipMethod: string | null): string {
  const named = carriers.find(([inMethod]) => inMethod.test(shipMethod ?? ""));
  return named?.[1] ?? "Other";
}

/** Whether the customer picks the parcel up, so that it needs no tracking number. */
export function isPickup(shipMethod: string | null): boolean {
  return /pickup/i.test(shipMethod ?? "");
}
