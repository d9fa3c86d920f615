import { Fieldset, SimpleGrid, Text } from "@mantine/core";
import type { SalesOrder } from "../../../../client/src/index.js";
import { useMe } from "../../../shared/session.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { AddressField } from "../../components/address-field.js";
import { Decision } from "../../components/decision.js";
import { Section } from "../../components/facts.js";
import { linesOf, partOf, parts, type Whose, whose } from "./address.js";

const titleOf = (of: Whose) => t(of === "shipping" ? "shippingAddress" : "billingAddress");

/** Where it goes, and who pays. */
export function OrderAddresses({ order }: { order: SalesOrder }) {
  const { role } = useMe();
  return (
    <Section
      title={t("addresses")}
      actions={(role === "ADMIN" || order.status === "OPEN") && <EditAddresses order={order} />}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {whose.map((of) => {
          const lines = linesOf(order, of);
          return (
            <div key={of}>
              <Text size="sm" c="dimmed">
                {titleOf(of)}
              </Text>
              {lines.length === 0 && <Text>{t("noAddress")}</Text>}
              {lines.map((line) => (
                <Text key={line} style={{ overflowWrap: "anywhere" }}>
                  {line}
                </Text>
              ))}
            </div>
          );
        })}
      </SimpleGrid>
    </Section>
  );
}

const EditAddresses = ({ order }: { order: SalesOrder }) => (
  <Decision
    isSmall
    isWide
    label={t("edit")}
    verb={t("save")}
    title={t("editAddresses")}
    act={async (values, api) => {
      const before = order as Record<string, unknown>;
      const changed = Object.entries(values).filter(([field, value]) => value !== (before[field] ?? ""));
      if (changed.length === 0) return;
      const path = { so_id: order.so_id };
      const body = Object.fromEntries(changed);
      await api.patch("/api/admin/sales-orders/{so_id}/address", { path, body });
    }}
  >
    {order.ship_address && !partOf(order, "shipping", "line1") && (
      <Text size="sm">{t("addressInOneText", { address: order.ship_address })}</Text>
    )}
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {whose.map((of) => (
        <Fieldset key={of} legend={titleOf(of)}>
          {parts.map((part) => (
            <AddressField
              key={part}
              part={part}
              name={`${of}_address_${part}`}
              label={fieldText(part)}
              value={partOf(order, of, part)}
            />
          ))}
        </Fieldset>
      ))}
    </SimpleGrid>
  </Decision>
);
