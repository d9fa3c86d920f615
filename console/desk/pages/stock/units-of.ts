import { t } from "../../../texts/lots.js";

/** Which units are meant in a bin, as its title says it: those of an item, of one lot where they have some. */
export const unitsOf = ({ sku, lot_number: lot }: { sku: string; lot_number: string | null }) =>
  lot ? t("unitsOfLot", { sku, lot }) : sku;
