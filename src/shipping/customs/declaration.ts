import { Decimal } from "decimal.js";
import { addressLines } from "../../platform/address/lines.js";
import { CustomsCurrencies, CustomsIncomplete } from "./problems.js";
import type { ParcelForCustoms, UnitsForCustoms } from "./queries.js";
import type { CustomsDeclaration, CustomsLine, Needed } from "./shapes.js";

/** What can be declared of a parcel, with what is missing. */
export function declarationOf(parcel: ParcelForCustoms): CustomsDeclaration {
  const { parcel_id, so_number, tracking_number, sender, ship_to, recipient_country, units, weight_lbs } = parcel;
  const lines = linesOf(units);
  const [currency = null, ...others] = new Set(lines.map((line) => line.currency));
  const values = lines.flatMap(({ value_minor }) => value_minor ?? []);
  return {
    ...{ parcel_id, so_number, tracking_number, sender, recipient_country, lines },
    recipient: addressLines(ship_to),
    gross_weight_lbs: weight_lbs === null ? null : Number(weight_lbs),
    total_quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    total_minor: values.length === lines.length ? values.reduce((sum, value) => sum + value, 0) : null,
    currency: others.length === 0 ? currency : null,
    complete: lines.length > 0 && others.length === 0 && lines.every(({ missing }) => missing.length === 0),
  };
}

export const linesOf = (units: UnitsForCustoms[]): CustomsLine[] => units.map(lineOf);

function lineOf(units: UnitsForCustoms): CustomsLine {
  const { sku, item_name, quantity, weight_lbs, customs_value_minor, customs_currency, ...item } = units;
  const asked: Record<Needed, unknown> = { ...item, customs_value_minor, customs_currency, weight_lbs };
  return {
    ...{ sku, description: item_name, quantity, ...item, currency: customs_currency },
    net_weight_lbs: weight_lbs === null ? null : new Decimal(weight_lbs).times(quantity).toNumber(),
    value_minor: customs_value_minor === null ? null : customs_value_minor * quantity,
    missing: (Object.keys(asked) as Needed[]).filter((name) => asked[name] === null),
  };
}

/**
 * Refuses a declaration that cannot be made: 400 `customs_incomplete` with what is missing of which item, or
 * `customs_currencies`.
 */
export function refuseIncomplete({ lines }: Pick<CustomsDeclaration, "lines">): void {
  const items = lines.flatMap(({ sku, missing }) => (missing.length > 0 ? [{ sku, missing }] : []));
  if (items.length > 0) throw CustomsIncomplete({ skus: items.map(({ sku }) => sku).join(", ") }, { items });
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  if (currencies.length > 1) throw CustomsCurrencies({ currencies: currencies.sort().join(", ") });
}
