import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import type { BoardPicker } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/board.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { useNameOf } from "../../components/person.js";
import { Empty, Loaded } from "../../components/states.js";
import { Mark } from "../../components/status.js";
import { useRefresh } from "../../components/use-refresh.js";
import { useWarehouse } from "../../components/warehouse.js";
import { HandOver, mayHandOver } from "./assign.js";
import { TaskProgress } from "./progress.js";

const PATH = "/api/admin/waves/board";

/** Who picks what, how fast, and what stands in the way. */
export default function Board() {
  const { warehouseId } = useWarehouse();
  const found = useRead(PATH, { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  useRefresh(PATH);
  const nameOf = useNameOf();
  return (
    <Page title={t("board")} back="/waves">
      <Loaded of={found}>
        {({ pickers }) => {
          const busy = pickers.filter(({ waves, picks_last_hour }) => waves.length > 0 || picks_last_hour > 0);
          const free = pickers.filter(({ user_id, waves }) => user_id !== null && waves.length === 0);
          return (
            <Stack>
              <WaitingWaves />
              {free.length > 0 && (
                <Text>
                  {t("free", { names: free.map(({ username, full_name }) => nameOf(username, full_name)).join(" · ") })}
                </Text>
              )}
              {busy.length === 0 ? (
                <Empty title={t("nobody")} text={t("nobodyHint")} />
              ) : (
                <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
                  {busy.map((picker) => (
                    <Picker key={picker.username} {...picker} />
                  ))}
                </SimpleGrid>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

const BATCHES = "/api/admin/pick-batches";

/** How many waves nobody has taken, with the list where they are assigned. */
function WaitingWaves() {
  const { warehouseId } = useWarehouse();
  const { data } = useRead(BATCHES, { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  useRefresh(BATCHES);
  const count = data?.pick_batches.filter(({ assigned_to }) => assigned_to === null).length ?? 0;
  return count > 0 && <MaybeLink to="/waves">{t("waitingWaves", { count: number(count) })}</MaybeLink>;
}

function Picker(picker: BoardPicker) {
  const { username, full_name, picks_last_hour, units_last_hour, last_pick_at, waves } = picker;
  const name = useNameOf()(username, full_name);
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
          <WaveOfPicker key={wave.batch_id} wave={wave} picker={username} />
        ))}
      </Stack>
    </Paper>
  );
}

function WaveOfPicker({ wave, picker }: { wave: BoardPicker["waves"][number]; picker: string }) {
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
        {mayHandOver(wave) && <HandOver isSmall wave={wave} picker={picker} />}
      </Group>
    </Stack>
  );
}

function blockerText(blocker: string, { quiet_minutes, short_tasks }: BoardPicker["waves"][number]): string {
  if (blocker === "idle") return t("idle", { minutes: number(quiet_minutes) });
  return blocker === "short" ? t("short", { count: number(short_tasks) }) : t("not_completed");
}
