import { runAvailability } from "../../workers/outbound.js";
import { type ChannelSink, openChannelSink } from "./channel-sink.js";
import { channel } from "./channels.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { sendersOf } from "./running-senders.js";
import type { TestService } from "./service.js";

/** A service whose channels are told what is available, and for each test a shop that is told and a warehouse. */
export function channelFloor(open: () => Promise<TestService>) {
  let service: TestService;
  let availability: { stop: () => Promise<void> };
  let sink: ChannelSink;
  let warehouse_id: number;
  const { start, stop, stopAll } = sendersOf(() => service);
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
    await stopAll();
    await db.run(
      `update channels set status = 'revoked', pause_reason = null, whole_after = null, failures = 0, retry_at = null
       where status <> 'revoked'`,
    );
    await sink.stop();
  });

  /** Makes a channel that the shop is told of at once; gives the answer. */
  const publish = (fields: object) =>
    channel(service.admin, { delivery_url: sink.url, debounce_seconds: 0, rate_limit_per_second: 1_000, ...fields });
  return { at: () => ({ service, sink, warehouse_id }), start, stop, publish };
}
