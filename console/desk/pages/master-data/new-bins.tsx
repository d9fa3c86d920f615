import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api as service, useAction } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/new-bins.js";
import { binTypes } from "../../../texts/types.js";
import { Section } from "../../components/facts.js";
import { Outcome, Remarks } from "../../components/file-form.js";
import { LinkButton } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { PrintLabel } from "../../components/print-label.js";
import { Refused } from "../../components/states.js";
import { optionsOf, valuesOf } from "../../values.js";
import { PlaceFields } from "./bin-fields.js";
import { binsOf, type Pattern } from "./bin-pattern.js";
import { NewZone } from "./zone-actions.js";

/** An import takes so many rows. */
const MOST = 5_000;

const usual: Pattern = { aisles: "A-F", rows: "01-20", levels: "1", code: "{aisle}-{row}-{level}" };

/** Many bins of a zone at once, by a pattern, and their labels. */
export default function NewBins() {
  const me = useMe();
  const [pattern, setPattern] = useState(usual);
  const bins = binsOf(pattern);
  const create = useAction(async (values: Record<string, string>, api) => {
    const { warehouse_id, zone_id, bin_type, is_reserve } = values;
    const first = (await lastPlaceIn(Number(warehouse_id))) + 1;
    const records = bins.map((bin, i) => ({
      ...{ ...bin, zone_id: Number(zone_id), bin_type, is_reserve: is_reserve === "on" },
      ...{ pick_sequence: first + i, putaway_sequence: first + i },
    }));
    const body = { records, warehouse_id: Number(warehouse_id) };
    const done = await api.post("/api/admin/import/{entity_type}", { path: { entity_type: "bins" }, body });
    return { ...done, zone_id: Number(zone_id) };
  });
  const field = (name: keyof Pattern, label: string, description?: string) => (
    <TextInput
      name={name}
      label={label}
      description={description}
      value={pattern[name]}
      onChange={({ currentTarget }) => setPattern({ ...pattern, [name]: currentTarget.value })}
      required={name === "code"}
    />
  );
  return (
    <Page title={t("newBins")} actions={mayOpen(me, "zones") && <NewZone />}>
      <Section title={t("pattern")}>
        <form onChange={create.reset} onSubmit={(event) => create.mutate(valuesOf(event))}>
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <PlaceFields />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {field("aisles", t("aisles"), t("aislesHint"))}
              {field("rows", t("rows"), t("rowsHint"))}
              {field("levels", t("levels"), t("levelsHint"))}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {field("code", t("binCode"), t("codeHint", { aisle: "{aisle}", row: "{row}", level: "{level}" }))}
              <NativeSelect
                name="bin_type"
                label={t("type")}
                description={t("typeHint")}
                data={optionsOf(binTypes())}
                defaultValue="Pickable"
              />
            </SimpleGrid>
            <Checkbox name="is_reserve" label={t("isReserve")} />
            <Text role="status" c={bins.length > MOST ? "var(--danger)" : undefined}>
              {preview(bins.map(({ bin_code }) => bin_code))}
            </Text>
            <Refused error={create.error} />
            <Group>
              <Button type="submit" loading={create.isPending} disabled={bins.length > MOST || create.isSuccess}>
                {t("createBins", { count: number(bins.length) })}
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
      {create.data && (
        <>
          <Outcome
            title={t("created", { count: number(create.data.imported), total: number(create.data.total) })}
            isGood={create.data.errors.length === 0}
          />
          <Group>
            <PrintLabel
              path="/api/admin/bins/labels"
              query={{ zone_id: create.data.zone_id }}
              label={t("printLabels")}
            />
            <LinkButton to={`/bins?zone_id=${create.data.zone_id}`} label={t("toBins")} />
          </Group>
          <Remarks rows={create.data.errors.map(({ row, error }) => ({ row, why: error }))} />
        </>
      )}
    </Page>
  );
}

/** How many there would be, and what they are called. */
function preview(codes: string[]): string {
  const values = { count: number(codes.length), codes: codes.slice(0, 3).join(", "), last: codes.at(-1) ?? "" };
  if (codes.length > MOST) return t("tooMany", { ...values, most: number(MOST) });
  return t(codes.length > 4 ? "preview" : "previewAll", { ...values, all: codes.join(", ") });
}

/** The last place in the order of picking: new bins come behind all others. */
async function lastPlaceIn(warehouse_id: number): Promise<number> {
  const { bins } = await service.get("/api/admin/bins", {
    query: { warehouse_id, sort: "-pick_sequence", per_page: 1 },
  });
  return bins[0]?.pick_sequence ?? 0;
}
