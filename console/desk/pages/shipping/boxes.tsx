import { SimpleGrid, TextInput } from "@mantine/core";
import type { Box } from "../../../../client/src/index.js";
import { moneyOf } from "../../../shared/amounts.js";
import { t } from "../../../texts/parcels.js";
import { AmountFields, amountIn } from "../../components/amount-fields.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { RowActions } from "../../components/row-actions.js";
import { activeColumn } from "../../components/status.js";
import { numberIn } from "../../values.js";
import { sizeOf } from "./size.js";

/** The boxes that parcels are packed in. */
export default function Boxes() {
  return (
    <ListPage
      title={t("boxes")}
      none="boxes"
      actions={<NewBox />}
      path="/api/admin/boxes"
      rows="boxes"
      columns={[
        { field: "box_code", title: t("code"), sorts: true },
        { field: "box_name", title: t("name"), sorts: true },
        { field: "length_in", title: t("size"), sorts: true, show: sizeOf },
        { field: "tare_lbs", title: t("tare"), as: "number" },
        { field: "max_weight_lbs", title: t("maxWeight"), sorts: true, as: "number" },
        {
          ...{ field: "cost_minor", title: t("cost"), right: true },
          show: ({ cost_minor, cost_currency }) => moneyOf(cost_minor, cost_currency),
        },
        { ...activeColumn(t), sorts: true },
        { field: "actions", title: t("actions"), right: true, show: (box) => <Actions box={box} /> },
      ]}
    />
  );
}

/** What the fields of a box say. */
function boxIn(values: Record<string, string>) {
  const { minor, currency } = amountIn(values, "cost");
  return {
    box_code: values.box_code ?? "",
    box_name: values.box_name ?? "",
    ...{ length_in: Number(values.length_in), width_in: Number(values.width_in), height_in: Number(values.height_in) },
    ...{ tare_lbs: Number(values.tare_lbs), max_weight_lbs: numberIn(values.max_weight_lbs) },
    ...{ cost_minor: minor, cost_currency: currency },
  };
}

const NewBox = () => (
  <Decision
    isWide
    label={t("newBox")}
    verb={t("create")}
    title={t("newBox")}
    act={(values, api) => api.post("/api/admin/boxes", { body: boxIn(values) })}
  >
    <BoxFields />
  </Decision>
);

function BoxFields({ of }: { of?: Box }) {
  const measure = { type: "number", min: 0.01, max: 999, step: "any", required: true };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput name="box_code" label={t("code")} defaultValue={of?.box_code} maxLength={32} required data-autofocus />
      <TextInput name="box_name" label={t("name")} defaultValue={of?.box_name} maxLength={128} required />
      <TextInput name="length_in" label={t("length")} {...measure} defaultValue={of?.length_in} />
      <TextInput name="width_in" label={t("width")} {...measure} defaultValue={of?.width_in} />
      <TextInput name="height_in" label={t("height")} {...measure} defaultValue={of?.height_in} />
      <TextInput name="tare_lbs" label={t("tare")} {...measure} min={0} defaultValue={of?.tare_lbs ?? 0} />
      <TextInput
        name="max_weight_lbs"
        label={t("maxWeight")}
        {...measure}
        required={false}
        defaultValue={of?.max_weight_lbs ?? ""}
      />
      <AmountFields
        name="cost"
        label={t("cost")}
        currencyLabel={t("currency")}
        minor={of?.cost_minor}
        currency={of?.cost_currency}
      />
    </SimpleGrid>
  );
}

function Actions({ box }: { box: Box }) {
  const { box_id, box_code: name, is_active } = box;
  const path = { box_id };
  return (
    <RowActions>
      <Decision
        isSmall
        isWide
        label={t("edit")}
        verb={t("save")}
        title={t("editBox", { name })}
        act={(values, api) => api.put("/api/admin/boxes/{box_id}", { path, body: boxIn(values) })}
      >
        <BoxFields of={box} />
      </Decision>
      <Decision
        isSmall
        label={is_active ? t("pause") : t("resume")}
        title={is_active ? t("pauseBox", { name }) : t("resumeBox", { name })}
        act={(_, api) => api.put("/api/admin/boxes/{box_id}", { path, body: { is_active: !is_active } })}
      />
      <Decision
        isSmall
        isDangerous
        label={t("delete")}
        title={t("deleteBox", { name })}
        act={(_, api) => api.delete("/api/admin/boxes/{box_id}", { path })}
      />
    </RowActions>
  );
}
