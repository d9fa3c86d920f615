import { readdir, stat, statfs } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "node:tls";
import { metrics, type ObservableGauge } from "@opentelemetry/api";
import { ttlCache } from "../concurrency/ttl-cache.js";
import type { Config } from "../config/config.js";
import { log } from "../log.js";

type Settings = Pick<Config, "backupFolder" | "archiveFolder" | "retentionFolder" | "siteAddress" | "siteTlsAt">;

const KEPT_MS = 30_000;
const ANSWER_WITHIN_MS = 5_000;
/** Prometheus waits for 10 s. */
const READ_WITHIN_MS = 8_000;
const kept = ttlCache<Reading[]>(() => KEPT_MS);

interface Reading {
  name: keyof typeof gauges;
  value: number;
  labels?: Record<string, string>;
}

const gauges = {
  temporal_reachable: "Whether Temporal answers the worker: 1 or 0",
  probe_success: "Whether a folder, or the certificate of the site, could be read: 1 or 0",
  disk_free_ratio: "Free part of the disk of a folder: the service's own, or that of backups, archive or retention",
  backup_age_seconds: "Time since the newest backup was written; infinite without one",
  archive_age_seconds: "Time since all that was written was in the archive, or since its newest base; infinite without",
  certificate_left_ratio: "Part of its time that is left to the certificate of the site",
} as const;

/**
 * Measures what a worker needs around it, whenever it is scraped. Of what cannot be read, `probe_success` is 0, the
 * log has the error, and what was read of it last stays.
 * @param askTemporal Rejects while Temporal does not answer.
 */
export function measureSurroundings(settings: Settings, askTemporal: () => Promise<unknown>): void {
  const meter = metrics.getMeter("warehouse");
  const made = Object.fromEntries(
    Object.entries(gauges).map(([name, description]) => [
      name,
      meter.createObservableGauge(`warehouse_${name}`, { description }),
    ]),
  ) as Record<keyof typeof gauges, ObservableGauge>;
  const probes = Object.entries(probesOf(settings));
  meter.addBatchObservableCallback(async (result) => {
    const observe = ({ name, value, labels }: Reading) => result.observe(made[name], value, labels ?? {});
    const temporal = askTemporal().then(
      () => observe({ name: "temporal_reachable", value: 1 }),
      () => observe({ name: "temporal_reachable", value: 0 }),
    );
    const probed = probes.map(async ([probe, read]) => {
      const readings = await Promise.race([kept(probe, read), late()]).catch((err) => {
        log.warn({ err, probe }, "what stands around the worker could not be read");
      });
      observe({ name: "probe_success", value: readings ? 1 : 0, labels: { probe } });
      readings?.forEach(observe);
    });
    await Promise.all([temporal, ...probed]);
  }, Object.values(made));
}

async function late(): Promise<never> {
  await pause(READ_WITHIN_MS, undefined, { ref: false });
  throw new Error(`no answer within ${READ_WITHIN_MS} ms`);
}

function probesOf({ backupFolder, archiveFolder, retentionFolder, siteAddress, siteTlsAt }: Settings) {
  const site = siteAddress ? new URL(siteAddress) : undefined;
  const probes: Record<string, () => Promise<Reading[]>> = { service: async () => [await diskOf("service", ".")] };
  if (backupFolder) probes.backups = () => readBackups(backupFolder);
  if (archiveFolder) probes.archive = () => readArchive(archiveFolder);
  if (retentionFolder) probes.retention = async () => [await diskOf("retention", retentionFolder)];
  if (site?.protocol === "https:")
    probes.certificate = async () => [
      { name: "certificate_left_ratio", value: await certificateLeft(site, siteTlsAt) },
    ];
  return probes;
}

// One after the other: while a folder of another machine does not answer, one of Node's four threads waits for it.

const readBackups = async (folder: string): Promise<Reading[]> => [
  await diskOf("backups", folder),
  { name: "backup_age_seconds", value: await age(folder, /^warehouse-.*\.gz$/) },
];

const readArchive = async (folder: string): Promise<Reading[]> => [
  await diskOf("archive", folder),
  { name: "archive_age_seconds", value: await age(folder, /^newest-wal$/), labels: { part: "wal" } },
  { name: "archive_age_seconds", value: await age(folder, /^newest-base$/), labels: { part: "base" } },
];

async function diskOf(folder: string, path: string): Promise<Reading> {
  const { bavail, blocks } = await statfs(path);
  return { name: "disk_free_ratio", value: bavail / blocks, labels: { folder } };
}

/** Of the newest file of such a name, in seconds. */
async function age(folder: string, name: RegExp): Promise<number> {
  const names = (await readdir(folder)).filter((one) => name.test(one));
  const times = await Promise.all(names.map(async (one) => (await stat(join(folder, one))).mtimeMs));
  return (Date.now() - Math.max(...times)) / 1_000;
}

/** Of its whole time; below 0 once it has ended. */
function certificateLeft(site: URL, at = site.host): Promise<number> {
  const { hostname, port } = new URL(`https://${at}`);
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: hostname, port: Number(port || 443), rejectUnauthorized: false },
      ...(isIP(site.hostname) === 0 && { servername: site.hostname }),
    });
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy(new Error(`${at} does not answer`)));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const { valid_from, valid_to } = socket.getPeerCertificate();
      socket.destroy();
      const [from, to] = [Date.parse(valid_from), Date.parse(valid_to)];
      resolve((to - Date.now()) / (to - from));
    });
  });
}
