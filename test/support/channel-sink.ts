import assert from "node:assert/strict";
import { openSink, type Sink } from "./sink.js";

/** What a channel was told of an item. */
export interface Told {
  sku: string;
  available: number;
  version: number;
}

/** A channel's server, and what it was told. */
export interface ChannelSink extends Sink {
  /** Request by request. */
  batches(): Told[][];
  /** What it was told last of each item, by SKU; of those that it took, unless told otherwise. */
  latest(): Map<string, Told>;
  /** Fails where an older version of an item came after a newer one. */
  assertVersionsRise(): void;
}

/** Opens one on this machine, which answers 200. */
export async function openChannelSink(): Promise<ChannelSink> {
  const sink = await openSink();
  const batches = () => sink.received.map(({ body }) => JSON.parse(body.toString()).items as Told[]);
  const latest = () => new Map(batches().flatMap((items) => items.map((item) => [item.sku, item] as const)));
  const assertVersionsRise = () => {
    const newest = new Map<string, number>();
    for (const { sku, version } of batches().flat()) {
      assert.ok(version >= (newest.get(sku) ?? 0), `${sku}: ${version} after ${newest.get(sku)}`);
      newest.set(sku, version);
    }
  };
  return Object.assign(sink, { batches, latest, assertVersionsRise });
}
