import { type Attributes, type Counter, type MeterProvider, metrics } from "@opentelemetry/api";

/** A counter of OpenTelemetry, made with the provider that is set when it counts; without one, it does nothing. */
export function counter(name: string, description: string) {
  let provider: MeterProvider | undefined;
  let made: Counter | undefined;
  return (attributes: Attributes): void => {
    const current = metrics.getMeterProvider();
    if (!made || provider !== current) {
      provider = current;
      made = current.getMeter("warehouse").createCounter(name, { description });
    }
    made.add(1, attributes);
  };
}
