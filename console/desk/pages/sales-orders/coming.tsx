import { Text } from "@mantine/core";
import type { Backorder } from "../../../../client/src/index.js";
import { day } from "../../../shared/format.js";
import { t } from "../../../texts/sales-orders.js";
import { MaybeLink } from "../../components/maybe-link.js";

/** The purchase order that brings an item first, how much of it, and when. */
export const Coming = ({ of }: { of: Backorder["items"][number]["open_po"] }) => (
  <Text size="xs" c="dimmed">
    {of === null ? (
      t("nothingComing")
    ) : (
      <>
        {t("coming", { count: of.quantity_remaining, day: day(of.expected_date) })}
        {" · "}
        <MaybeLink to={`/purchase-orders/${of.po_id}`} isInText>
          {of.po_number}
        </MaybeLink>
      </>
    )}
  </Text>
);
