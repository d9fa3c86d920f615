import { Grid, Stack } from "@mantine/core";
import { useSearchParams } from "react-router";
import { useRead } from "../../../../shared/api.js";
import { day as dayText } from "../../../../shared/format.js";
import { mayOpen, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/day.js";
import { Filters } from "../../../components/filters.js";
import { Page } from "../../../components/page.js";
import { Loaded } from "../../../components/states.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { FirstHour } from "./first-hour.js";
import { Hours } from "./hours.js";
import { OpenWork } from "./open-work.js";
import { Syncs } from "./syncs.js";
import { Urgent } from "./urgent.js";
import { Waves } from "./waves.js";
import { Webhooks } from "./webhooks.js";

/** The day at a glance: what was done, what is under way and what waits for somebody. */
export default function Day() {
  const me = useMe();
  const { warehouseId } = useWarehouse();
  const [address, setAddress] = useSearchParams();
  const day = address.get("day");
  const ofWarehouse = warehouseId ? { warehouse_id: warehouseId } : {};
  const found = useRead("/api/v1/dashboard/day", { query: { ...ofWarehouse, ...(day && { day }) } });
  return (
    <Page
      title={t("glance")}
      actions={
        <Filters
          filters={[{ name: "day", label: t("dayChosen"), isDay: true }]}
          values={address}
          set={(_, value) => setAddress(value ? { day: value } : {})}
        />
      }
    >
      <FirstHour />
      <OpenWork />
      <Loaded of={found}>
        {(glance) => (
          <Stack>
            <Hours title={t("byHour", { day: dayText(glance.day) })} {...glance} />
            <Urgent of={glance} />
          </Stack>
        )}
      </Loaded>
      {mayOpen(me, "picking-batches") && <Waves />}
      <Grid align="stretch">
        {mayOpen(me, "webhooks") && (
          <Grid.Col span={{ base: 12, xl: 6 }}>
            <Webhooks />
          </Grid.Col>
        )}
        {mayOpen(me, "integrations") && (
          <Grid.Col span={{ base: 12, xl: 6 }}>
            <Syncs />
          </Grid.Col>
        )}
      </Grid>
    </Page>
  );
}
