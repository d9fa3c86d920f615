import type { ReactNode } from "react";
import { type NewWave, Refusal } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { Icon } from "../../../shared/icons.js";
import { t } from "../../../texts/scan-pick.js";
import { Refused, Screen, Sending } from "../../components/parts.js";
import { ScanField } from "../../components/scan-field.js";
import { WaitingOrders } from "../../components/waiting-orders.js";
import { useLookUp } from "../../look-up.js";
import type { Scanning } from "../../task.js";
import { useWarehouse } from "../../warehouse.js";
import type { PickProps } from "./progress.js";

interface CollectProps extends PickProps {
  wave: Scanning<NewWave>;
  children: ReactNode;
}

/** The orders of a wave, scanned one after the other. */
export function Collect({ progress, set, wave, children }: CollectProps) {
  const { warehouse } = useWarehouse();
  const { orders = [] } = progress;
  const scanned = useLookUp(
    (barcode: string) => api.post("/api/picking/wave-validate", { body: { barcode, warehouse_id: warehouse.id } }),
    (found) => {
      // The walk of a transfer order goes on where it is.
      if (found.kind === "TO") return set({ batch_id: found.batch_id });
      const { so_id, so_number, total_units } = found;
      const others = orders.filter((order) => order.so_id !== so_id);
      wave.reset();
      set({ orders: [...others, { so_id, so_number, units: total_units }] });
    },
  );
  const taken = useLookUp(
    (batch: string) => api.post("/api/picking/batch/{batch_id}/take", { path: { batch_id: Number(batch) } }),
    ({ batch_id }) => set({ batch_id }),
  );
  const another = transferOfAnother(scanned.error);
  const start = (exclude_so_ids: number[]) =>
    wave.send({ so_ids: orders.map(({ so_id }) => so_id), warehouse_id: warehouse.id, exclude_so_ids });
  const units = orders.reduce((sum, order) => sum + order.units, 0);
  const unpickable = unpickableOf(wave.error);
  const lacking = unpickable.map(({ so_id }) => so_id);
  const mayLeaveOut = lacking.length > 0 && orders.some(({ so_id }) => !lacking.includes(so_id));
  const next = orders.length > 0 && (
    <button
      type="button"
      className="primary"
      onClick={() => start(mayLeaveOut ? lacking : [])}
      disabled={wave.isPending}
    >
      {mayLeaveOut ? t("leaveOut") : t("start", { units })}
    </button>
  );
  return (
    <Screen title={t("pick")} next={next}>
      {children}
      {wave.isPending && <Sending />}
      <Refused error={taken.error ?? scanned.error ?? (unpickable.length > 0 ? null : wave.error)} />
      {another && (
        <button
          type="button"
          className="second"
          onClick={() => taken.mutate(String(another.batch_id))}
          disabled={taken.isPending}
        >
          {t("takeOver", { name: another.assigned_to })}
        </button>
      )}
      {unpickable.length > 0 && (
        <section className="notice wrong" role="alert">
          <p>{t("missing")}</p>
          <ul>
            {unpickable.map(({ so_id, so_number, lines }) => (
              <li key={so_id}>
                {so_number}: {lines.map((line) => t("missingLine", line)).join(", ")}
              </li>
            ))}
          </ul>
        </section>
      )}
      <ScanField label={t("scanOrder")} onScan={({ code }) => scanned.mutate(code)} isBusy={scanned.isPending} />
      {orders.length > 0 && (
        <section>
          <h2>{t("waveOf")}</h2>
          <ul className="lines">
            {orders.map(({ so_id, so_number, units }) => (
              <li key={so_id}>
                <span>
                  <strong>{so_number}</strong> <span className="dim">{t("unitsOf", { units })}</span>
                </span>
                <button
                  type="button"
                  className="square"
                  aria-label={t("takeOff", { number: so_number })}
                  onClick={() => {
                    wave.reset();
                    set({ orders: orders.filter((order) => order.so_id !== so_id) });
                  }}
                >
                  <Icon of="minus" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <WaitingOrders status="OPEN" except={orders.map(({ so_number }) => so_number)} choose={scanned.mutate} />
    </Screen>
  );
}

interface Unpickable {
  so_id: number;
  so_number: string;
  lines: { sku: string; ordered: number; available: number }[];
}

/** The orders that there is not enough for, where that is why the wave was refused. */
const unpickableOf = (error: unknown): Unpickable[] =>
  error instanceof Refusal && Array.isArray(error.body.unpickable) ? (error.body.unpickable as Unpickable[]) : [];

/** The walk of a transfer order that somebody else began, where that is why the scan was refused. */
const transferOfAnother = (error: unknown) =>
  error instanceof Refusal && error.code === "scan_transfer_of_another"
    ? (error.body as unknown as { batch_id: number; assigned_to: string })
    : undefined;
