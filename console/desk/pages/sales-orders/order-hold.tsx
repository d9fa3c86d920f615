import { List, Text, Textarea } from "@mantine/core";
import type { SalesOrder } from "../../../../client/src/index.js";
import { t } from "../../../texts/sales-orders.js";
import { Decision } from "../../components/decision.js";
import { Notice } from "../../components/states.js";

const words = {
  differs_from_shop: { title: "differsFromShop", hint: "differsHint" },
  on_hold_in_shop: { title: "onHoldInShop", hint: "onHoldHint" },
  by_hand: { title: "heldByHand", hint: "heldByHandHint" },
} as const;

/** Why an order is not picked, packed or shipped for now, and what its shop wants otherwise. */
export function OrderHold({ order }: { order: SalesOrder }) {
  const { hold_reason, shop_difference } = order;
  if (hold_reason === null) return null;
  const { title, hint } = words[hold_reason];
  return (
    <Notice color="orange" title={t(title)}>
      <Text size="sm">{t(hint)}</Text>
      {shop_difference && (
        <List size="sm">
          {shop_difference.map(({ item_id, sku, item_name, units }) => (
            <List.Item key={item_id}>
              {t(units < 0 ? "shopWantsFewer" : "shopWantsMore", { count: Math.abs(units), sku, name: item_name })}
            </List.Item>
          ))}
        </List>
      )}
    </Notice>
  );
}

type HeldOrder = Pick<SalesOrder, "so_id" | "so_number">;

export const HoldOrder = ({ so_id, so_number }: HeldOrder) => (
  <Decision
    label={t("hold")}
    title={t("holdTitle", { number: so_number })}
    act={({ reason = "" }, api) =>
      api.post("/api/admin/sales-orders/{so_id}/hold", { path: { so_id }, body: { reason } })
    }
  >
    <Text size="sm">{t("holdHint")}</Text>
    <Textarea name="reason" label={t("holdReason")} maxLength={500} required autosize data-autofocus />
  </Decision>
);

export const ReleaseHold = ({ so_id, so_number, isSmall = false }: HeldOrder & { isSmall?: boolean }) => (
  <Decision
    isSmall={isSmall}
    label={t("release")}
    title={t("releaseHoldTitle", { number: so_number })}
    act={(_, api) => api.post("/api/admin/sales-orders/{so_id}/release-hold", { path: { so_id } })}
  >
    <Text size="sm">{t("releaseHoldHint")}</Text>
  </Decision>
);
