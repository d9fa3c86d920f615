import { NativeSelect, NumberInput, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { LineBin, SalesOrder, SalesOrderLine } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { day } from "../../../shared/format.js";
import { t } from "../../../texts/sales-orders.js";
import { Decision } from "../../components/decision.js";
import { Loaded } from "../../components/states.js";
import { typed } from "../../values.js";
import { unpicked } from "./order-state.js";

/** Picks without a wave: of each line as much as was taken out of a bin. */
export const PickAtDesk = ({ order: { so_id, so_number }, lines }: { order: SalesOrder; lines: SalesOrderLine[] }) => (
  <Decision
    isSmall
    isWide
    label={t("pick")}
    title={t("pickOrder", { number: so_number })}
    act={(values, api) => {
      const picks = lines.flatMap(({ so_line_id }) => {
        const quantity = Number(values[`quantity_${so_line_id}`] ?? 0);
        const lot_number = typed(values[`lot_${so_line_id}`]);
        return quantity > 0 ? [{ so_line_id, bin_id: Number(values[`bin_${so_line_id}`]), quantity, lot_number }] : [];
      });
      const body = { lines: picks };
      return api.post("/api/admin/sales-orders/{so_id}/admin-pick", { path: { so_id }, body });
    }}
  >
    <Text size="sm">{t("pickHint")}</Text>
    {lines.map((line) => (
      <PickLine key={line.so_line_id} so_id={so_id} line={line} />
    ))}
  </Decision>
);

function PickLine({ so_id, line }: { so_id: number; line: SalesOrderLine }) {
  const { so_line_id, sku, item_name } = line;
  const path = { so_id, so_line_id };
  const found = useRead("/api/admin/sales-orders/{so_id}/lines/{so_line_id}/available-bins", { path });
  return (
    <Stack gap={4}>
      <Text fw={600}>{`${sku} · ${item_name}`}</Text>
      <Loaded of={found}>
        {({ bins }) => (bins.length === 0 ? <Text c="dimmed">{t("noStock")}</Text> : <FromBin {...{ line, bins }} />)}
      </Loaded>
    </Stack>
  );
}

/** From which bin, of which lot where there are several, and how many. */
function FromBin({ line, bins }: { line: SalesOrderLine; bins: LineBin[] }) {
  const { so_line_id, sku } = line;
  const [chosen, setChosen] = useState(bins[0]?.bin_id);
  const lots = bins.find(({ bin_id }) => bin_id === chosen)?.lots ?? [];
  return (
    <SimpleGrid cols={lots.length > 0 ? 3 : 2}>
      <NativeSelect
        name={`bin_${so_line_id}`}
        label={t("fromBin", { sku })}
        data={bins.map(({ bin_id, bin_code, quantity_available }) => ({
          value: String(bin_id),
          label: t("binWith", { bin: bin_code, available: quantity_available }),
        }))}
        value={chosen}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      />
      {lots.length > 0 && (
        <NativeSelect
          key={chosen}
          name={`lot_${so_line_id}`}
          label={t("lotOf", { sku })}
          data={[{ value: "", label: t("firstExpired") }, ...lots.map(lotChoice)]}
        />
      )}
      <NumberInput
        name={`quantity_${so_line_id}`}
        label={t("quantityOf", { sku })}
        defaultValue={Math.min(unpicked(line), bins[0]?.quantity_available ?? 0)}
        min={0}
        max={unpicked(line)}
        allowDecimal={false}
      />
    </SimpleGrid>
  );
}

type BinLot = NonNullable<LineBin["lots"]>[number];

const lotChoice = ({ lot_number, expiry_date, quantity_available: available }: BinLot) => ({
  value: lot_number,
  label: t("binWith", { bin: [lot_number, expiry_date && day(expiry_date)].filter(Boolean).join(" · "), available }),
});
