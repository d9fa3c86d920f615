import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { cancelWave } from "../../activities/picking/index.js";
import { endLease, takeLease } from "../../activities/picking/leases.js";
import { confirmPick, shortPick } from "../../activities/picking/scan.js";
import { tasksOf } from "../../src/picking/tasks.js";
import { db as platform } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { SEED } from "../support/seed.js";
import { testService } from "../support/service.js";
import { actor, startWave } from "../support/walk.js";

const SEQUENCES = Number(process.env.TEST_LEASE_SEQUENCES ?? 25);
const UNITS = 3;

/** What a device did without the net: it is sent under its key until it is answered. */
interface Kept {
  key: string;
  task: number;
  lease_id: string;
  /** All units by a scan of the item, or so many, and the rest is missing. */
  found: number;
}
interface Device {
  name: string;
  by: Caller;
  lease?: string;
  kept: Kept[];
}
interface Wave {
  batch_id: number;
  warehouse_id: number;
  tasks: { pick_task_id: number; sku: string }[];
  devices: Device[];
  /** The first answer to each key. */
  answers: Map<string, unknown>;
  /** Whether nothing else happens at the same moment. */
  isAlone: boolean;
}
interface Deed {
  does: keyof typeof deeds;
  device: number;
  task: number;
  found: number;
}

const refusalOf = async (act: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.kind;
    throw error;
  }
};

const leaseOf = ({ batch_id }: Wave) =>
  db.value<string>("select lease_id from pick_leases where batch_id = $1 and ended_at is null", [batch_id]);

/** Sends one thing, whose answer may be lost: then it is sent again. */
async function send(wave: Wave, { by, kept }: Device, one: Kept, isLost: boolean): Promise<void> {
  const { key, task, lease_id, found } = one;
  const { pick_task_id, sku } = wave.tasks[task] as Wave["tasks"][number];
  const who = { ...actor(by), commandId: key };
  const refusal = await refusalOf(async () => {
    const answer =
      found === UNITS
        ? await confirmPick({ pick_task_id, scanned_barcode: sku, quantity_picked: UNITS, lease_id }, who)
        : await shortPick({ pick_task_id, quantity_available: found, lease_id }, who);
    const first = wave.answers.get(key);
    if (first) assert.deepEqual(answer, first);
    else if (wave.isAlone) assert.equal(lease_id, await leaseOf(wave));
    wave.answers.set(key, answer);
  });
  if (wave.answers.has(key)) assert.equal(refusal, undefined);
  else assert.ok(["lease_lost", "task_not_pending"].includes(refusal ?? ""), refusal);
  if (!isLost) kept.splice(kept.indexOf(one), 1);
}

const lease = async (wave: Wave, device: Device, take_over: boolean) =>
  refusalOf(async () => {
    const { lease_id } = await takeLease(wave.batch_id, { device: device.name, take_over }, actor(device.by));
    device.lease = lease_id;
  });

/** What devices and the desk do, in any order. */
const deeds = {
  lease: (wave: Wave, device: Device) => lease(wave, device, false),
  steal: (wave: Wave, device: Device) => lease(wave, device, true),
  scan: async (_: Wave, { lease, kept }: Device, { task, found }: Deed) => {
    if (lease) kept.push({ key: randomUUID(), task, lease_id: lease, found });
  },
  sendOne: async (wave: Wave, device: Device) => {
    const [one] = device.kept;
    if (one) await send(wave, device, one, false);
  },
  loseAnswer: async (wave: Wave, device: Device) => {
    const [one] = device.kept;
    if (one) await send(wave, device, one, true);
  },
  sendAll: async (wave: Wave, device: Device) => {
    for (const one of [...device.kept]) await send(wave, device, one, false);
  },
  expire: (wave: Wave) => db.run("update pick_leases set expires_at = now() where batch_id = $1", [wave.batch_id]),
  end: (wave: Wave, { by }: Device) => refusalOf(() => endLease(wave.batch_id, actor(by))),
  cancel: (wave: Wave, { by }: Device) => refusalOf(() => cancelWave(wave.batch_id, actor(by))),
};

const weights: Partial<Record<keyof typeof deeds, number>> = { lease: 4, scan: 8, sendOne: 3, loseAnswer: 3, steal: 2 };
const deed: fc.Arbitrary<Deed> = fc.record({
  does: fc.oneof(
    ...(Object.keys(deeds) as (keyof typeof deeds)[]).map((value) => ({
      weight: weights[value] ?? 1,
      arbitrary: fc.constant(value),
    })),
  ),
  ...{ device: fc.nat(2), task: fc.nat(3), found: fc.constantFrom(UNITS, UNITS, UNITS, 1, 0) },
});

describe("scans that devices send late, in any order of all else", function () {
  this.timeout(60_000 + SEQUENCES * 4_000);
  const service = testService();
  let people: Caller[];
  before(async () => {
    people = await Promise.all([0, 1].map(() => service.user({ role: "ADMIN" })));
  });

  async function open(): Promise<Wave> {
    const warehouse_id = await fixtures.warehouse();
    const lines = [];
    for (const place of [1, 2, 3, 4]) {
      const { item_id } = await fixtures.item();
      await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id, { pick_sequence: place }), item_id, 9);
      lines.push({ item_id, quantity: UNITS });
    }
    const { so_id } = await fixtures.salesOrder(warehouse_id, lines);
    const [one, two] = people as [Caller, Caller];
    const { batch_id } = await startWave(one, warehouse_id, [so_id]);
    const tasks = await tasksOf(platform, batch_id);
    const devices = [
      ...[
        { name: "ONE", by: one, kept: [] },
        { name: "TWO", by: one, kept: [] },
      ],
      { name: "THREE", by: two, kept: [] },
    ];
    return { batch_id, warehouse_id, tasks, devices, answers: new Map(), isAlone: true };
  }

  it("picks each task once at most, doubles and loses no unit, and has one device at a time", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(deed, { minLength: 1, maxLength: 2 }), { maxLength: 25 }), async (steps) => {
        const wave = await open();
        const { warehouse_id, batch_id, devices } = wave;
        const before = await unexplainedUnits(warehouse_id);
        const act = (one: Deed) => deeds[one.does](wave, devices[one.device] as Device, one);
        for (const step of steps) {
          // Two at the same moment are of two devices, as one device does one thing at a time.
          const [first, second] = step;
          wave.isAlone = !(first && second && first.device !== second.device);
          if (wave.isAlone) for (const one of step) await act(one);
          else await Promise.all(step.map(act));
          await assertInvariants(warehouse_id);
        }
        wave.isAlone = true;
        for (const device of devices) for (const one of [...device.kept]) await send(wave, device, one, false);
        await assertInvariants(warehouse_id);
        assert.deepEqual(await unexplainedUnits(warehouse_id), before);
        const twice = await db.rows(
          `select details->>'pick_task_id' as task from audit_log
           where action_type = 'PICK' and (details->>'batch_id')::int = $1 group by task having count(*) > 1`,
          [batch_id],
        );
        assert.deepEqual(twice, []);
        // What was answered as done is in the books, unless the wave was cancelled afterwards.
        const ended = await db.value<number>(
          "select count(*)::int from pick_tasks where batch_id = $1 and status in ('PICKED', 'SHORT')",
          [batch_id],
        );
        const isActive = await db.value<boolean>(
          "select status in ('OPEN', 'IN_PROGRESS') from pick_batches where batch_id = $1",
          [batch_id],
        );
        if (isActive) assert.equal(ended, wave.answers.size);
      }),
      { numRuns: SEQUENCES, seed: SEED },
    ));
});
