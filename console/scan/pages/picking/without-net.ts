import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type LeasedPickTask, Refusal } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { isAway } from "../../../shared/away.js";
import { useMe, whileSignedIn } from "../../../shared/session.js";
import { useKept } from "../../../shared/use-kept.js";
import { useNet } from "../../kept/net.js";
import { forget, type KeptScan, keepScan, newsOf, type Outcome, tellDone, useKeptScans } from "../../kept/scans.js";
import { isSame, plain } from "../../look-up.js";
import { SOON, type WithoutNet } from "../../task.js";
import { deviceName, type KeptPick, keptWalk } from "./kept-walk.js";
import type { Confirmation, ShortBody } from "./progress.js";
import type { sends } from "./sends.js";

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
  const walk = useKept(keptWalk(useMe().external_id));
  return useNet().since === null ? undefined : walk?.batch_id;
}

/** The lease of a wave, and what is done under it without the net; `error` is why the wave could not be asked for. */
export function useWithoutNet(batch_id: number | undefined, isEnded: boolean, error: unknown) {
  const client = useQueryClient();
  const { external_id, username } = useMe();
  const kept = useMemo(() => keptWalk(external_id), [external_id]);
  const last = useKept(kept);
  const walk = last?.batch_id === batch_id ? (last ?? undefined) : undefined;
  const net = useNet();
  // Without a wave on the device there is nothing to go on with.
  const since = last ? net.since : null;
  const goAway = () => {
    if (kept.get()) net.goAway();
  };
  const known = useKeptScans();
  const { done, refused } = newsOf(known, ["pick"]);
  const lease = useMutation({
    networkMode: "always",
    mutationFn: ({ batch_id, take_over }: { batch_id: number; take_over: boolean }) => {
      const body = { device: deviceName(), take_over };
      const options = { path: { batch_id }, body, ...SOON, signal: whileSignedIn() };
      return api.post("/api/picking/batch/{batch_id}/lease", options);
    },
    onSuccess: (taken) => {
      const before = kept.get();
      kept.set({ ...taken, done: before?.batch_id === taken.batch_id ? before.done : [] });
      setHeldBy(undefined);
    },
    onError: (refusal) => {
      if (isAway(refusal)) return goAway();
      kept.set(null);
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
    if (isAway(error)) goAway();
  }, [error, walk?.lease_id]);
  useEffect(() => {
    if (isEnded && net.since === null) kept.set(null);
  }, [isEnded, kept, net.since]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the net is back
  useEffect(() => {
    const now = kept.get();
    if (since !== null || !now || refused.length === 0) return;
    // What was refused is not done, and may still be to be picked.
    const again = refused.map((one) => (one.done as KeptPick).body.pick_task_id);
    kept.set({ ...now, done: now.done.filter((task) => !again.includes(task)) });
  }, [since, refused.length]);

  /** Where a scan of the task goes without the net. */
  const keeping = <I extends Confirmation | ShortBody>(
    does: keyof typeof sends,
    then: () => void,
  ): WithoutNet<I> | undefined => {
    if (!last) return undefined;
    return {
      isAway: since !== null,
      goAway,
      whyWrong: (body) => {
        const task = last.tasks.find(({ pick_task_id }) => pick_task_id === body.pick_task_id);
        return task && "scanned_barcode" in body ? whyWrong(task, last.tasks, body.scanned_barcode) : undefined;
      },
      keep: (sent) => {
        const body = sent.input;
        const task = last.tasks.find(({ pick_task_id }) => pick_task_id === body.pick_task_id);
        const units = "quantity_picked" in body ? body.quantity_picked : body.quantity_available;
        const { sku = "", bin_code = "" } = task ?? {};
        const done: KeptPick = { body, sku, bin_code, units };
        keepScan(external_id, "pick", { ...sent, username, input: { does, done }, isHarmless: true });
        setDone(body.pick_task_id);
        then();
      },
    };
  };
  const setDone = (task: number) => {
    const now = kept.get();
    if (now && !now.done.includes(task)) kept.set({ ...now, done: [...now.done, task] });
  };
  return {
    walk,
    /** Since when there is no net; null where there is one. */
    since,
    /** What is kept, the last one last. */
    scans: known.scans.filter(({ task }) => task === "pick") as KeptScan<KeptPick>[],
    report: { done, refused: refused as Outcome<KeptPick>[] },
    forgetReport: () => {
      tellDone(external_id, ["pick"]);
      for (const one of refused) forget(external_id, one);
    },
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

/** A longer label has more in it than a code. */
const LONGER_THAN_A_CODE = 16;

/**
 * Why a scan cannot be right for a task, as far as the device knows: what is a code of its item is right, and so may be
 * a label that has a GTIN of it, which the service reads.
 */
export function whyWrong(task: LeasedPickTask, bins: LeasedPickTask[], text: string): Refusal | undefined {
  const same = (code: string) => [text, plain(text)].some((one) => isSame(one, code));
  const isIn = (code: string) => /^\d{8,}$/.test(code) && text.includes(code);
  if (task.codes.some(same) || (text.length >= LONGER_THAN_A_CODE && task.codes.some(isIn))) return undefined;
  const isBin = bins.some(({ bin_code, bin_barcode }) => same(bin_code) || same(bin_barcode));
  return new Refusal(400, isBin ? "wrong_bin" : "wrong_item", `Wrong item: expected ${task.sku}`, {});
}
