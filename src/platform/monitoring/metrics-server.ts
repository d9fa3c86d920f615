import { DiagLogLevel, diag, type HrTime, metrics, ValueType } from "@opentelemetry/api";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { emptyResource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  MeterProvider,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import { poolUse } from "../db/db.js";
import { log } from "../log.js";
import { BOUNDARIES, requestDurations } from "./request-durations.js";

/** Serves this process's metrics to Prometheus at `/metrics`; returns what ends that. A taken port is EADDRINUSE. */
export async function serveMetrics(host: string, port: number): Promise<() => Promise<void>> {
  const warn = (message: string, ...more: unknown[]) => log.warn({ err: more[0] }, message);
  const quiet = () => {};
  diag.setLogger({ error: warn, warn, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN);
  const exporter = new PrometheusExporter({
    ...{ host, port, preventServerStart: true },
    ...{ withoutScopeInfo: true, withoutTargetInfo: true },
    metricProducers: [requests],
  });
  await exporter.startServer();
  const provider = new MeterProvider({ readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  measureProcess();
  return () => provider.shutdown();
}

/** The metrics of every process of the service. */
function measureProcess(): void {
  const meter = metrics.getMeter("warehouse");
  const connections = meter.createObservableGauge("db_pool_connections", {
    description: "Database connections of this process, by state: used or idle",
  });
  const waiting = meter.createObservableGauge("db_pool_waiting", {
    description: "Statements and transactions of this process that wait for a database connection",
  });
  const size = meter.createObservableGauge("db_pool_size", {
    description: "The most database connections that this process may have",
  });
  const memory = meter.createObservableGauge("process_resident_memory_bytes", {
    description: "Resident memory of this process",
  });
  const cpu = meter.createObservableCounter("process_cpu_seconds", {
    description: "Processor time that this process has used",
  });
  meter.addBatchObservableCallback(
    (result) => {
      const pool = poolUse();
      result.observe(connections, pool.used, { state: "used" });
      result.observe(connections, pool.idle, { state: "idle" });
      result.observe(waiting, pool.waiting);
      result.observe(size, pool.size);
      const { user, system } = process.cpuUsage();
      result.observe(cpu, (user + system) / 1e6);
      result.observe(memory, process.memoryUsage.rss());
    },
    [connections, waiting, size, memory, cpu],
  );
}

const BEGAN: HrTime = [Math.floor(Date.now() / 1_000), 0];

/** The histogram of requests; none in a process that serves none. */
const requests: MetricProducer = {
  async collect() {
    const endTime: HrTime = [Math.floor(Date.now() / 1_000), 0];
    const histogram: HistogramMetricData = {
      descriptor: {
        name: "http_server_request_duration_seconds",
        description: "Requests by method, route and status",
        unit: "s",
        valueType: ValueType.DOUBLE,
      },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: requestDurations().map(({ method, route, status, counts, count, sum }) => ({
        startTime: BEGAN,
        endTime,
        attributes: { method, route, status },
        value: { buckets: { boundaries: BOUNDARIES, counts }, count, sum },
      })),
    };
    const metrics = histogram.dataPoints.length > 0 ? [histogram] : [];
    return {
      resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: "warehouse" }, metrics }] },
      errors: [],
    };
  },
};
