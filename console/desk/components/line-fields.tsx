import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/desk.js";
import { typed } from "../values.js";
import { ItemField } from "./search-fields.js";

/** The lines of an order that is made: an item and how many each; `linesIn` has what was typed. */
export function LineFields({ withCost = false }: { withCost?: boolean }) {
  const [keys, setKeys] = useState([0]);
  return (
    <Stack gap="xs">
      {keys.map((key, place) => (
        <Group
          key={key}
          align="end"
          gap="sm"
          component="fieldset"
          bd={0}
          p={0}
          m={0}
          aria-label={t("lineNumber", { number: place + 1 })}
        >
          <div style={{ flex: "1 1 16rem" }}>
            <ItemField name={`item_id.${key}`} label={t("item")} />
          </div>
          <TextInput name={`quantity.${key}`} label={t("quantity")} type="number" min={1} required w={110} />
          {withCost && <TextInput name={`unit_cost.${key}`} label={t("unitCost")} inputMode="decimal" w={110} />}
          <Button
            variant="default"
            mod="dangerous"
            disabled={keys.length === 1}
            onClick={() => setKeys((before) => before.filter((one) => one !== key))}
          >
            {t("remove")}
          </Button>
        </Group>
      ))}
      <Group>
        <Button variant="default" onClick={() => setKeys((before) => [...before, Math.max(...before) + 1])}>
          {t("addLine")}
        </Button>
      </Group>
    </Stack>
  );
}

export const linesIn = (values: Record<string, string>) =>
  Object.entries(values).flatMap(([name, item_id]) => {
    const key = /^item_id\.(\d+)$/.exec(name)?.[1];
    if (key === undefined || !item_id) return [];
    const unit_cost = typed(values[`unit_cost.${key}`]);
    return [{ item_id: Number(item_id), quantity: Number(values[`quantity.${key}`]), unit_cost }];
  });
