import type { Random } from "./random.js";

/** How the numbers of each carrier's parcels begin, and how many digits follow. */
const numbers = {
  UPS: { begins: "1Z", digits: 16 },
  FedEx: { begins: "7", digits: 11 },
  USPS: { begins: "94", digits: 20 },
  DHL: { begins: "", digits: 10 },
};
export type Carrier = keyof typeof numbers;

/** Who takes a parcel, and a number as that carrier gives them. */
export function handedTo(random: Random): { carrier: Carrier; tracking: string } {
  const carrier = random.one(Object.keys(numbers) as Carrier[]);
  const { begins, digits } = numbers[carrier];
  return { carrier, tracking: begins + Array.from({ length: digits }, () => random.below(10)).join("") };
}
