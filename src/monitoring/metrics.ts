import { type Attributes, type Meter, type MeterProvider, metrics } from "@opentelemetry/api";

/**
 * The metrics of this process, by the API of OpenTelemetry: without a provider (metrics-server.ts) they do nothing. An
 * instrument is made with the provider that is set when it is used first.
 */
function instrument<T>(make: (meter: Meter) => T): () => T {
  let provider: MeterProvider | undefined;
  let made: T | undefined;
  return () => {
    const current = metrics.getMeterProvider();
    if (made === undefined || provider !== current) {
      provider = current;
      made = make(current.getMeter("warehouse"));
    }
    return made;
  };
}

/** A counter; each call adds one. */
export function counter(name: string, description: string) {
  const made = instrument((meter) => meter.createCounter(name, { description }));
  return (attributes: Attributes): void => made().add(1, attributes);
}

/** From what a scanner does not notice to what it no longer waits for. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A histogram of durations in seconds. */
export function durations(name: string, description: string) {
  const advice = { explicitBucketBoundaries: SECONDS };
  const made = instrument((meter) => meter.createHistogram(name, { description, unit: "s", advice }));
  return (seconds: number, attributes: Attributes): void => made().record(seconds, attributes);
}
