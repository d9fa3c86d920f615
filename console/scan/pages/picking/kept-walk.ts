import { newKey, type PickLease, type Refusal } from "../../../../client/src/index.js";
import { type Kept, keptFor, keptOnDevice } from "../../../shared/kept.js";
import { type Sent, unanswered } from "../../unsent.js";
import type { Confirmation, ShortBody } from "./progress.js";

/** A wave as the device has it, and which of its tasks are done, sent or not. */
export interface KeptWalk extends PickLease {
  done: number[];
}

interface OfTask {
  sku: string;
  bin_code: string;
  /** How many the picker has in hand. */
  units: number;
}

/** What was done without the net, under the key under which it is sent. */
export type KeptScan = OfTask & { key: string } & (
    | { does: "confirm"; body: Confirmation }
    | { does: "short"; body: ShortBody }
  );

/** What came of it. */
export interface Report {
  done: number;
  refused: (OfTask & { pick_task_id: number } & Pick<Refusal, "status" | "code" | "message" | "body">)[];
}

/** What this device keeps of a picker's walk: it outlives the page, and belongs to that person. */
export const keptBy = (user: string) => ({
  walk: keptFor<KeptWalk | null>(user, "walk", null),
  /** Since when there is no net. */
  since: keptFor<number | null>(user, "walk.since", null),
  scans: unanswered<KeptScan[]>(user, "pick.kept"),
  report: keptFor<Report | null>(user, "walk.report", null),
});

/** One scan more, behind those that wait. */
export function keepScan(scans: Kept<Sent<KeptScan[]> | null>, scan: KeptScan, username: string): void {
  const before = scans.get()?.input ?? [];
  if (before.some(({ key }) => key === scan.key)) return;
  scans.set({ input: [...before, scan], key: "", username, at: Date.now(), isHarmless: true });
}

/** Without the scan with this key, which was answered. */
export function forgetScan(scans: Kept<Sent<KeptScan[]> | null>, key: string): void {
  const now = scans.get();
  const input = now?.input.filter((scan) => scan.key !== key) ?? [];
  scans.set(now && input.length > 0 ? { ...now, input } : null);
}

/** What the device calls itself, so that a lead can find it. */
export function deviceName(): string {
  const kept = keptOnDevice<string | null>("device", null);
  const name = kept.get() ?? newKey().slice(0, 6).toUpperCase();
  kept.set(name);
  return name;
}
