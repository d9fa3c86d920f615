import { type RunningSenders, runSenders } from "../../activities/outbound/engine.js";
import { runAvailability } from "../../workers/outbound.js";
import { type ChannelSink, openChannelSink } from "./channel-sink.js";
import { channel } from "./channels.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import type { TestService } from "./service.js";

/** A service whose channels are told what is available, and for each test a shop that is told and a warehouse. */
export function channelFloor(open: () => Promise<TestService>) {
  let service: TestService;
  let availability: { stop: () => Promise<void> };
  let sink: ChannelSink;
  let warehouse_id: number;
  /** Those that run, each as if in a worker of its own. */
  const running: RunningSenders[] = [];
  before(async () => {
    service = await open();
    availability = runAvailability();
  });
  after(async () => {
    await availability.stop();
    await service.close();
  });
  beforeEach(async () => {
    sink = await openChannelSink();
    warehouse_id = await fixtures.warehouse();
  });
  afterEach(async () => {
    for (const senders of [...running]) await stop(senders);
    await db.run(
      `update channels set status = 'revoked', pause_reason = null, whole_after = null, failures = 0, retry_at = null
       where status <> 'revoked'`,
    );
    await sink.stop();
  });

  function start(more: Partial<TestService["config"]> = {}): RunningSenders {
    const senders = runSenders({ ...service.config, ...more }, async () => {});
    running.push(senders);
    return senders;
  }
  async function stop(senders: RunningSenders): Promise<void> {
    running.splice(running.indexOf(senders), 1);
    await senders.stop();
    await senders.close();
  }
  /** Makes a channel that the shop is told of at once; gives the answer. */
  const publish = (fields: object) =>
    channel(service.admin, { delivery_url: sink.url, debounce_seconds: 0, rate_limit_per_second: 1_000, ...fields });
  return { at: () => ({ service, sink, warehouse_id }), start, stop, publish };
}
