import { Button } from "@mantine/core";
import { t } from "../../texts/desk.js";
import { type EmptyList, emptyText } from "../../texts/empty-lists.js";
import { useLinks } from "../links.js";
import { placeOf } from "../navigation.js";
import { LinkButton } from "./maybe-link.js";
import { Empty } from "./states.js";
import { useWarehouse } from "./warehouse.js";

/** The pages that rows come from, beside what the list itself begins: who may open them is led there. */
const origins: Partial<Record<EmptyList, string[]>> = {
  adjustments: ["/counts"],
  backorders: ["/purchase-orders"],
  collections: ["/parcels", "/carriers"],
  counterSales: ["/tokens"],
  counts: ["/count-programmes"],
  heldOrders: ["/orders"],
  holds: ["/stock"],
  items: ["/imports", "/connectors"],
  lots: ["/purchase-orders"],
  orders: ["/imports", "/connectors"],
  parcels: ["/orders"],
  purchaseOrders: ["/imports"],
  recalls: ["/lots"],
  replenishments: ["/items"],
  returns: ["/orders"],
  review: ["/counts"],
  serials: ["/purchase-orders"],
  shipments: ["/orders"],
  stock: ["/purchase-orders", "/imports"],
  vendors: ["/imports"],
  waves: ["/waves/plan"],
  zones: ["/warehouses"],
};

interface EmptyListProps {
  /** Undefined for a list of which no more is said than that there is nothing. */
  of: EmptyList | undefined;
  /** Takes off the filters that are set; undefined where none is. */
  clear?: (() => void) | undefined;
  /** Whether it is of the warehouse that the desk looks at. */
  ofWarehouse: boolean;
}

/** In place of the rows of a list: that the filters leave none, or that there are none yet, and what to do then. */
export function EmptyOf({ of, clear, ofWarehouse }: EmptyListProps) {
  const link = useLinks();
  const { warehouses, warehouseId, choose } = useWarehouse();
  const here = warehouses.find(({ id }) => ofWarehouse && warehouses.length > 1 && id === warehouseId);
  const pages = ((of && origins[of]) ?? []).flatMap((to) => {
    const { title, action } = placeOf(to)?.page ?? {};
    const label = (title ?? action)?.();
    return link(to) && label ? [{ to, label }] : [];
  });
  const { title, hint } = of ? emptyText(of) : { title: t("nothingFound"), hint: "" };
  const next = (
    <>
      {clear && (
        <Button variant="default" onClick={clear}>
          {t("clearFilters")}
        </Button>
      )}
      {here && (
        <Button variant="default" onClick={() => choose(undefined)}>
          {t("allWarehouses")}
        </Button>
      )}
      {!clear && pages.map((page) => <LinkButton key={page.to} {...page} />)}
    </>
  );
  if (clear) return <Empty title={t("nothingFound")} text={t("filtersLeaveNone")} next={next} />;
  return <Empty title={here ? t("filterIs", { label: here.code, value: title }) : title} text={hint} next={next} />;
}
