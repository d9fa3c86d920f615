import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type CallOptions, type LeasedPickTask, Refusal } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { useMe, whileSignedIn } from "../../../shared/session.js";
import { useKept } from "../../../shared/use-kept.js";
import { plain } from "../../look-up.js";
import { isAnswer, isAway, SOON, UNTIL_ANSWERED, type WithoutNet } from "../../task.js";
import { deviceName, forgetScan, type KeptScan, keepScan, keptBy } from "./kept-walk.js";
import type { Confirmation, ShortBody } from "./progress.js";

/**
 * Without the net the walk of a wave goes on (docs/offline.md): the device has a lease of it, what is scanned is kept,
 * and it is sent in order when the net is back.
 */

/** While the page is open, the device is heard at least so often. */
const RENEW_MS = 5 * 60_000;

/** The wave is on another device, or somebody else's. */
const HELD = ["batch_leased", "batch_of_another"];

/** The wave of the page, where the service cannot be asked for it. */
export function useKeptBatch(): number | undefined {
  const kept = keptBy(useMe().external_id);
  const [walk, since] = [useKept(kept.walk), useKept(kept.since)];
  return since === null ? undefined : walk?.batch_id;
}

/** The lease of a wave, and what is done under it without the net; `error` is why the wave could not be asked for. */
export function useWithoutNet(batch_id: number | undefined, isEnded: boolean, error: unknown) {
  const { external_id, username } = useMe();
  const client = useQueryClient();
  const kept = useMemo(() => keptBy(external_id), [external_id]);
  const last = useKept(kept.walk);
  const walk = last?.batch_id === batch_id ? (last ?? undefined) : undefined;
  const since = useKept(kept.since);
  const scans = useKept(kept.scans)?.input ?? [];
  const report = useKept(kept.report);

  const goAway = () => {
    if (!kept.walk.get() || kept.since.get() !== null) return;
    kept.since.set(Date.now());
    // Nobody waits for what cannot come.
    void client.cancelQueries();
  };
  const lease = useMutation({
    networkMode: "always",
    mutationFn: ({ batch_id, take_over }: { batch_id: number; take_over: boolean }) => {
      const body = { device: deviceName(), take_over };
      const options = { path: { batch_id }, body, ...SOON, signal: whileSignedIn() };
      return api.post("/api/picking/batch/{batch_id}/lease", options);
    },
    onSuccess: (taken) => {
      const before = kept.walk.get();
      kept.walk.set({ ...taken, done: before?.batch_id === taken.batch_id ? before.done : [] });
      setHeldBy(undefined);
    },
    onError: (refusal) => {
      if (isAway(refusal)) return goAway();
      kept.walk.set(null);
      const isHeld = refusal instanceof Refusal && HELD.includes(refusal.code);
      setHeldBy(isHeld ? refusal : undefined);
      // The wave may have ended.
      if (!isHeld) void client.invalidateQueries();
    },
  });
  const { mutate } = lease;
  const [heldBy, setHeldBy] = useState<Refusal>();
  const renew = () => batch_id && mutate({ batch_id, take_over: false });

  // biome-ignore lint/correctness/useExhaustiveDependencies: for each wave, and each time that the net is back
  useEffect(() => {
    setHeldBy(undefined);
    if (!batch_id || since !== null) return;
    renew();
    const again = setInterval(renew, RENEW_MS);
    return () => clearInterval(again);
  }, [batch_id, since]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as soon as it is known
  useEffect(() => {
    if (isAway(error) || !navigator.onLine) goAway();
    window.addEventListener("offline", goAway);
    return () => window.removeEventListener("offline", goAway);
  }, [error, walk?.lease_id]);
  useEffect(() => {
    if (isEnded && kept.since.get() === null) kept.walk.set(null);
  }, [isEnded, kept]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: as long as there is no net
  useEffect(() => {
    if (since === null) return;
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, whileSignedIn()]);
    void sendKept(kept, { ...UNTIL_ANSWERED, giveUpAfterMs: Number.POSITIVE_INFINITY, signal }).then(
      () => client.invalidateQueries(),
      // Whoever comes back to the page sends the rest.
      () => {},
    );
    return () => leaving.abort();
  }, [since === null]);

  /** Where a scan of the task goes without the net. */
  const keeping = <I extends Confirmation | ShortBody>(
    does: KeptScan["does"],
    then: () => void,
  ): WithoutNet<I> | undefined => {
    if (!last) return undefined;
    return {
      isAway: since !== null,
      keep: ({ input, key }) => {
        const task = last.tasks.find(({ pick_task_id }) => pick_task_id === input.pick_task_id);
        const units = "quantity_picked" in input ? input.quantity_picked : input.quantity_available;
        const { sku = "", bin_code = "" } = task ?? {};
        keepScan(kept.scans, { does, body: input, key, sku, bin_code, units } as KeptScan, username);
        setDone(input.pick_task_id);
        goAway();
        then();
      },
    };
  };
  const setDone = (task: number) => {
    const now = kept.walk.get();
    if (now && !now.done.includes(task)) kept.walk.set({ ...now, done: [...now.done, task] });
  };
  return {
    walk,
    /** Since when there is no net; null where there is one. */
    since,
    scans,
    report,
    forgetReport: () => kept.report.set(null),
    /** The next task, as the device knows it. */
    next: walk?.tasks.find(({ pick_task_id }) => !walk.done.includes(pick_task_id)),
    lease,
    /** Why the wave is not picked here. */
    heldBy,
    /** Whether the service said whose wave it is, or cannot be asked. */
    isKnown: walk !== undefined || lease.isError,
    renew,
    goAway,
    keeping,
    setDone,
  };
}
export type OnDevice = ReturnType<typeof useWithoutNet>;

/** Asks for the lease anew once the device does not know the next task, or has lost the wave. */
export function useOwnLease(
  { walk, renew, goAway }: OnDevice,
  task: object | undefined,
  error: unknown,
  failure: unknown,
): void {
  const shown = task && "pick_task_id" in task ? task.pick_task_id : undefined;
  const isNew = walk && shown && !walk.tasks.some(({ pick_task_id }) => pick_task_id === shown);
  const isLost = failure instanceof Refusal && failure.code === "lease_lost";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each task, and each refusal
  useEffect(() => {
    if (isNew || isLost) renew();
  }, [shown, failure]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it cannot be read
  useEffect(() => {
    if (isAway(error)) goAway();
  }, [error]);
}

/** Sends what is kept, one after the other, and says what came of it; ends when nothing is left and the net is back. */
async function sendKept(kept: ReturnType<typeof keptBy>, options: CallOptions): Promise<void> {
  for (;;) {
    const [scan] = kept.scans.get()?.input ?? [];
    if (!scan) {
      await api.get("/api/picking/active-batch", options);
      // Meanwhile the walk went on.
      if (kept.scans.get()) continue;
      const walk = kept.walk.get();
      const again = kept.report.get()?.refused.map(({ pick_task_id }) => pick_task_id);
      // What was refused is not done, and may still be to be picked.
      if (walk && again) kept.walk.set({ ...walk, done: walk.done.filter((task) => !again.includes(task)) });
      return kept.since.set(null);
    }
    const { done, refused } = kept.report.get() ?? { done: 0, refused: [] };
    const refusal = await send(scan, options);
    if (!refusal) kept.report.set({ done: done + 1, refused });
    else {
      const { sku, bin_code, units, body: sent } = scan;
      const { status, code, message, body } = refusal;
      const why = { status, code, message, body };
      const { pick_task_id } = sent;
      kept.report.set({ done, refused: [...refused, { pick_task_id, sku, bin_code, units, ...why }] });
    }
    forgetScan(kept.scans, scan.key);
  }
}

/** Why it was refused, if it was. Throws where nothing was answered. */
async function send({ does, body, key }: KeptScan, options: CallOptions): Promise<Refusal | undefined> {
  const keyed = { ...options, idempotencyKey: key };
  try {
    if (does === "confirm") await api.post("/api/picking/confirm", { body, ...keyed });
    else await api.post("/api/picking/short", { body, ...keyed });
    return undefined;
  } catch (error) {
    if (!isAnswer(error)) throw error;
    return error as Refusal;
  }
}

/** A longer label has more in it than a code. */
const LONGER_THAN_A_CODE = 16;

/**
 * Why a scan cannot be right for a task, as far as the device knows: what is a code of its item is right, and so may be
 * a label that has a GTIN of it, which the service reads.
 */
export function whyWrong(task: LeasedPickTask, bins: LeasedPickTask[], text: string): Refusal | undefined {
  const same = (code: string) => [text, plain(text)].some((one) => one.toUpperCase() === code.toUpperCase());
  const isIn = (code: string) => /^\d{8,}$/.test(code) && text.includes(code);
  if (task.codes.some(same) || (text.length >= LONGER_THAN_A_CODE && task.codes.some(isIn))) return undefined;
  const isBin = bins.some(({ bin_code, bin_barcode }) => same(bin_code) || same(bin_barcode));
  return new Refusal(400, isBin ? "wrong_bin" : "wrong_item", `Wrong item: expected ${task.sku}`, {});
}
