import { type Attributes, type Counter, type MeterProvider, metrics } from "@opentelemetry/api";

/**
 * A counter of this process, by the API of OpenTelemetry: without a provider (metrics-server.ts) it does nothing. It is
 * created at its first use, with the provider of that moment. Each call adds one.
 */
export function counter(name: string, description: string) {
  let provider: MeterProvider | undefined;
  let made: Counter | undefined;
  return (attributes: Attributes): void => {
    const current = metrics.getMeterProvider();
    if (made === undefined || provider !== current) {
      provider = current;
      made = current.getMeter("warehouse").createCounter(name, { description });
    }
    made.add(1, attributes);
  };
}
