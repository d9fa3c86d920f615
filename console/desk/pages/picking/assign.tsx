import { Text } from "@mantine/core";
import type { ActivePickBatch, BoardPicker } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { t as board } from "../../../texts/board.js";
import type { BulkAction } from "../../components/bulk-action.js";
import { Decision } from "../../components/decision.js";
import { PickerField } from "../../components/picker-field.js";

type Values = Record<string, string>;

/** Gives a wave that waits to the chosen picker; with `take_over` also one that somebody picks. */
const assign = (batch_id: number, { user_id }: Values, api: Api, take_over = false) =>
  api.post("/api/admin/pick-batches/{batch_id}/assign", {
    path: { batch_id },
    body: { user_id: Number(user_id), take_over },
  });

type Wave = Pick<ActivePickBatch, "batch_id" | "batch_number" | "warehouse_id">;

/** Gives a wave that waits to somebody who may pick in its warehouse. */
export const Assign = ({ batch_id, batch_number, warehouse_id }: Wave) => (
  <Decision
    label={board("assign")}
    title={board("assignTitle", { number: batch_number })}
    act={(values, api) => assign(batch_id, values, api)}
  >
    <PickerField warehouse_id={warehouse_id} />
  </Decision>
);

/** A walk for a transfer order stays with its picker. */
export const mayHandOver = ({ kind }: Pick<BoardPicker["waves"][number], "kind">) => kind === "SO";

interface HandOverProps {
  wave: Wave;
  /** Who picks it now. */
  picker: string;
  isSmall?: boolean;
}

/** Gives a wave that somebody picks to somebody else, who goes on where that one was. */
export const HandOver = ({
  wave: { batch_id, batch_number, warehouse_id },
  picker,
  isSmall = false,
}: HandOverProps) => (
  <Decision
    isSmall={isSmall}
    label={board("handOver")}
    title={board("handOverTitle", { number: batch_number })}
    act={(values, api) => assign(batch_id, values, api, true)}
  >
    <PickerField warehouse_id={warehouse_id} except={picker} />
    {board("handOverHint")}
  </Decision>
);

/** Waves that wait; taken back, they wait again. */
export const assignWaves = <R extends { batch_id: number; assigned_to?: string | null }>(
  warehouse_id?: number,
): BulkAction<R> => ({
  label: board("assign"),
  fields: <PickerField warehouse_id={warehouse_id} />,
  fits: ({ assigned_to }) => !assigned_to,
  each: ({ batch_id }, values, api) => assign(batch_id, values, api),
  undo: ({ batch_id }, api) => api.post("/api/picking/give-back", { body: { batch_id } }),
});

/** Waves that others have, such as who did not come back; the way back is to who had them. */
export const handOverWaves = (): BulkAction<ActivePickBatch> => ({
  label: board("handOver"),
  fields: (
    <>
      <PickerField />
      <Text size="sm">{board("handOverHint")}</Text>
    </>
  ),
  fits: (wave) => wave.assigned_to !== null && mayHandOver(wave),
  each: ({ batch_id }, values, api) => assign(batch_id, values, api, true),
  undo: async ({ batch_id, assigned_to }, api) => {
    const { pickers } = await api.get("/api/admin/waves/board");
    const before = pickers.find(({ username }) => username === assigned_to);
    return assign(batch_id, { user_id: String(before?.user_id) }, api, true);
  },
});
