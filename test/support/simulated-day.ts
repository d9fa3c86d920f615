import assert from "node:assert/strict";
import { exitCodeOf, finalReport } from "../../simulate/report.js";
import { type State, simulate } from "../../simulate/run.js";
import { HEALED_WITHIN_MS } from "./kills/kills.js";
import { TIME_FACTOR } from "./machine-speed.js";
import { PASSWORD } from "./people.js";
import { until } from "./until.js";

/** A day that goes on until it is ended, with four hours in a minute. */
const DAY = { user: "admin", password: PASSWORD, speed: 240 / TIME_FACTOR, hours: 240, seed: 1 };
/** What somebody does all the time, from the order to the carrier; the office and the desks wait for one another. */
const STEPS = [
  "post /api/admin/sales-orders",
  ...["wave-create", "confirm", "complete-batch"].map((step) => `post /api/picking/${step}`),
  ...["verify", "complete"].map((step) => `post /api/packing/${step}`),
  "post /api/shipping/fulfill",
];

/** A simulated day (docs/simulate.md) at a service to which something happens meanwhile. */
export interface SimulatedDay {
  /** Waits until each step, sent after this was called, is done; says how many seconds it took. */
  goesOn(): Promise<number>;
  /** Everybody goes home; fails with the report where not all is as it was answered. */
  end(): Promise<void>;
  /** Nobody works any more, and nothing is looked at. */
  breakOff(): void;
}

/**
 * @param ready Waits until the service has got over what happened to it.
 * @param besideOthers Whether others work in other warehouses meanwhile.
 */
export async function beginDay(url: string, ready: () => Promise<void>, besideOthers = false): Promise<SimulatedDay> {
  let state: State | undefined;
  /** Of each step, when the last one that was done had been sent. */
  const sent = new Map<string, number>();
  const began = (now: State) => {
    const { heard } = now.measure;
    now.measure.heard = (one) => {
      sent.set(one.route, Math.max(one.sentAt, sent.get(one.route) ?? 0));
      heard?.(one);
    };
    state = now;
  };
  const day = simulate(
    { url, ...DAY },
    { say: () => {}, began },
    { during: async () => {}, over: ready, besideOthers },
  );
  await Promise.race([until(() => state !== undefined, HEALED_WITHIN_MS), day]);
  const { clock, measure } = state as unknown as State;
  return {
    goesOn: async () => {
      const begun = performance.now();
      const all = () => STEPS.every((step) => (sent.get(step) ?? 0) > begun);
      await until(() => measure.unexpectedCount > 0 || all(), HEALED_WITHIN_MS);
      assert.deepEqual(measure.unexpected, []);
      return Number(((performance.now() - begun) / 1_000).toFixed(1));
    },
    end: async () => {
      clock.stop();
      const outcome = await day;
      assert.equal(exitCodeOf(outcome), 0, finalReport(outcome));
      const { figures } = outcome;
      const [came, left] = [figures.of("ordersIn"), figures.of("ordersShipped")];
      console.log(`      ${came} orders in, ${left} shipped, ${measure.again} requests sent again`);
    },
    breakOff: () => clock.stop(),
  };
}
