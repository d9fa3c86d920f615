import type { ReactNode } from "react";
import { type NewWave, Refusal } from "../../../../client/src/index.js";
import { api, useRead } from "../../../shared/api.js";
import { Icon } from "../../../shared/icons.js";
import { t } from "../../../texts/scan-picking.js";
import { Refused, Screen, Sending } from "../../components/parts.js";
import { ScanField } from "../../components/scan-field.js";
import { useScans } from "../../components/scans.js";
import { WaitingOrders } from "../../components/waiting-orders.js";
import { useWarehouse } from "../../components/warehouse.js";
import { plain, useLookUp } from "../../look-up.js";
import type { Scanning } from "../../task.js";
import type { PickProps, TransferWalk } from "./progress.js";

interface CollectProps extends PickProps {
  wave: Scanning<NewWave>;
  take: Scanning<TransferWalk>;
  nextBatch: Scanning<Record<string, never>>;
  children: ReactNode;
}

/** The orders of a wave, scanned one after the other. */
export function Collect({ progress, set, wave, take, nextBatch, children }: CollectProps) {
  const { warehouse } = useWarehouse();
  const { orders = [] } = progress;
  const batches = useRead("/api/work", { query: { warehouse_id: warehouse.id } }).data?.wave.total ?? 0;
  const { scan } = useScans();
  const scanned = useLookUp(
    (text) => {
      const body = { barcode: plain(text), warehouse_id: warehouse.id };
      return api.post("/api/picking/wave-validate", { body });
    },
    (found) => {
      // The walk of a transfer order goes on where it is.
      if (found.kind === "TO") return set({ batch_id: found.batch_id });
      const { so_id, so_number, total_units } = found;
      const others = orders.filter((order) => order.so_id !== so_id);
      wave.reset();
      set({ orders: [...others, { so_id, so_number, units: total_units }] });
    },
  );
  // The walk of a transfer order is begun, or taken over, by whoever picks it.
  const walk = transferToPick(scanned.error);
  const inWave = waveOf(scanned.error);
  const start = (exclude_so_ids: number[]) =>
    void wave.send({ so_ids: orders.map(({ so_id }) => so_id), warehouse_id: warehouse.id, exclude_so_ids });
  const units = orders.reduce((sum, order) => sum + order.units, 0);
  const unpickable = unpickableOf(wave.error);
  const lacking = unpickable.map(({ so_id }) => so_id);
  const mayLeaveOut = lacking.length > 0 && orders.some(({ so_id }) => !lacking.includes(so_id));
  const next =
    orders.length > 0 ? (
      <button
        type="button"
        className="primary"
        onClick={() => start(mayLeaveOut ? lacking : [])}
        disabled={wave.isPending}
      >
        {mayLeaveOut ? t("leaveOut") : t("start", { units })}
      </button>
    ) : (
      batches > 0 && (
        <button
          type="button"
          className="primary"
          onClick={() => void nextBatch.send({})}
          disabled={nextBatch.isPending}
        >
          {t("nextBatch", { batches })}
        </button>
      )
    );
  return (
    <Screen title={t("pick")} next={next}>
      {children}
      {(wave.isPending || take.isPending || nextBatch.isPending) && <Sending />}
      <Refused error={scanned.error} scanned={scanned.scanned} />
      <Refused error={take.error ?? nextBatch.error ?? (unpickable.length > 0 ? null : wave.error)} />
      {walk && (
        <button
          type="button"
          className="second"
          onClick={() => void take.send(walk.transfer)}
          disabled={take.isPending}
        >
          {walk.title}
        </button>
      )}
      {inWave && (
        <button type="button" className="second" onClick={() => set({ batch_id: inWave })}>
          {t("toItsWave")}
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
      <ScanField label={t("scanOrder")} onScan={scanned.take} />
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
      <WaitingOrders to="pick" except={orders.map(({ so_number }) => so_number)} choose={scan} />
      <WaitingOrders to="transfer" choose={scan} />
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

/** The wave of a scanned order that somebody picks: on this device, it may be taken over. */
const waveOf = (error: unknown) =>
  error instanceof Refusal && error.code === "scan_in_wave" ? Number(error.body.batch_id) : undefined;

/** How the walk of a scanned transfer order begins that nobody picks yet, or somebody else does. */
function transferToPick(error: unknown) {
  if (!(error instanceof Refusal)) return undefined;
  const { to_id, batch_id, assigned_to } = error.body as { to_id: number; batch_id: number; assigned_to: string };
  if (error.code === "scan_transfer_not_started") return { title: t("startTransfer"), transfer: { to_id } };
  if (error.code === "scan_transfer_of_another")
    return { title: t("takeOver", { name: assigned_to }), transfer: { batch_id } };
  return undefined;
}
