import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import type { BoardPicker } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/board.js";
import { Page } from "../../components/page.js";
import { Empty, Loaded } from "../../components/states.js";
import { Mark } from "../../components/status.js";
import { useRefresh } from "../../components/use-refresh.js";
import { useWarehouse } from "../../components/warehouse.js";
import { TaskProgress } from "./progress.js";

const PATH = "/api/admin/waves/board";

/** Who picks what, how fast, and what stands in the way. */
export default function Board() {
  const { warehouseId } = useWarehouse();
  const found = useRead(PATH, { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  useRefresh(PATH);
  return (
    <Page title={t("board")} back="/waves">
      <Loaded of={found}>
        {({ pickers }) => {
          const busy = pickers.filter(({ waves, picks_last_hour }) => waves.length > 0 || picks_last_hour > 0);
          if (busy.length === 0) return <Empty title={t("nobody")}>{t("nobodyHint")}</Empty>;
          return (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
              {busy.map((picker) => (
                <Picker key={picker.username} {...picker} />
              ))}
            </SimpleGrid>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Picker({ username, full_name, picks_last_hour, units_last_hour, last_pick_at, waves }: BoardPicker) {
  const name = full_name ?? username;
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="xs">
        <Title order={2} size="h4">
          {name}
        </Title>
        <Text size="sm">{t("pace", { picks: number(picks_last_hour), units: number(units_last_hour) })}</Text>
        {last_pick_at && (
          <Text size="sm" c="dimmed">
            {t("lastPick", { time: time(last_pick_at) })}
          </Text>
        )}
        {waves.map((wave) => (
          <WaveOfPicker key={wave.batch_id} {...wave} />
        ))}
      </Stack>
    </Paper>
  );
}

function WaveOfPicker(wave: BoardPicker["waves"][number]) {
  const { batch_id, batch_number, completed_tasks, total_tasks, next_bin_code } = wave;
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Anchor component={Link} to={`/waves/${batch_id}`} fw={600}>
          {batch_number}
        </Anchor>
        {next_bin_code && <Text size="sm">{t("next", { bin: next_bin_code })}</Text>}
      </Group>
      <TaskProgress done={completed_tasks} of={total_tasks} />
      <Group gap="xs">
        {wave.blockers.map((blocker) => (
          <Mark key={blocker} color="orange" text={blockerText(blocker, wave)} />
        ))}
      </Group>
    </Stack>
  );
}

function blockerText(blocker: string, { quiet_minutes, short_tasks }: BoardPicker["waves"][number]): string {
  if (blocker === "idle") return t("idle", { minutes: number(quiet_minutes) });
  return blocker === "short" ? t("short", { count: number(short_tasks) }) : t("not_completed");
}
