import { linesOf, refuseIncomplete } from "../shipping/customs/declaration.js";
import type { UnitsForCustoms } from "../shipping/customs/queries.js";
import type { ContentKind } from "../shipping/customs/shapes.js";
import { ParcelEmpty } from "../shipping/parcels/problems.js";
import type { CustomsItem, CustomsOfParcel, PostalAddress } from "./carrier.js";
import { crossesCustoms } from "./customs-border.js";

/** What a parcel is declared by. */
export interface ToDeclare {
  so_number: string;
  parcel_number: number;
  to: PostalAddress;
  units: UnitsForCustoms[];
  /** Why it is sent; without it, as a sale of goods. */
  contents?: ContentKind | undefined;
}

/**
 * What is declared of a parcel that is sent from there; null where it passes no customs. Refused where an item does not
 * say what customs ask, as its paper is: nothing is bought.
 */
export function customsFrom(
  from: PostalAddress,
  { so_number, parcel_number, to, units, contents = "sale_of_goods" }: ToDeclare,
): CustomsOfParcel | null {
  if (!crossesCustoms(from, to)) return null;
  if (units.length === 0) throw ParcelEmpty({ so_number, parcel_number });
  refuseIncomplete({ lines: linesOf(units) });
  return {
    contents,
    invoice_number: `${so_number}-${parcel_number}`,
    signer: from.name,
    currency: units[0]?.customs_currency as string,
    items: units.map(({ item_name, customs_value_minor, weight_lbs, customs_currency: _, ...item }) => ({
      ...(item as Pick<CustomsItem, "sku" | "quantity" | "hs_code" | "origin_country">),
      description: item_name,
      unit_value_minor: customs_value_minor as number,
      unit_weight_lbs: weight_lbs as string,
    })),
  };
}
