import type { Json } from "../http/caller.js";

/** What orders are packed in. */

/** Units by item, which has its name of events. */
export type Units = Map<string, number>;

/** What leaves together: a parcel, or all of an order that nobody opened a parcel of. */
export interface Package {
  /** Those of a parcel. */
  parcel?: { parcel_id: number; external_id: string };
  status: "OPEN" | "CLOSED" | "SHIPPED" | "VOIDED";
  units: Units;
}

export function add(units: Units, item: string, more: number): void {
  units.set(item, (units.get(item) ?? 0) + more);
}

export const totalOf = (units: Units): number => [...units.values()].reduce((sum, count) => sum + count, 0);

/** What is in a package of an event. */
export function packageOf({ lines }: { lines: Json[] }): Pick<Package, "units"> {
  const units: Units = new Map();
  for (const { item_external_id, quantity_packed } of lines) add(units, item_external_id, quantity_packed);
  return { units };
}

/** Packages in the words in which what was answered is compared with what events tell. */
export const inWords = (packages: Pick<Package, "units">[]): string =>
  packages
    .map(({ units }) =>
      [...units]
        .filter(([, count]) => count > 0)
        .map(([item, count]) => `${count} of ${item}`)
        .sort()
        .join(" and "),
    )
    .join(", then ");
