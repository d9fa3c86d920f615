import { readFileSync } from "node:fs";
import { parse } from "yaml";

const read = (path: string) => readFileSync(new URL(`../../../monitoring/${path}`, import.meta.url), "utf8");

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: "page" | "ticket" };
  annotations: { summary: string };
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

export const alerts = (): Alert[] =>
  (parse(read("alerts.yml")) as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules);

export const panels = (): Panel[] =>
  (JSON.parse(read("grafana/dashboards/warehouse.json")) as { panels: Panel[] }).panels;

interface Job {
  job_name: string;
  dns_sd_configs?: { names: string[]; port: number }[];
  static_configs?: { targets: string[] }[];
}

/** The name of each job of Prometheus, with the services and ports that it reads. */
export const scraped = () =>
  (parse(read("prometheus.yml")) as { scrape_configs: Job[] }).scrape_configs.map(
    ({ job_name, dns_sd_configs = [], static_configs = [] }) => ({
      job: job_name,
      targets: [
        ...dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
        ...static_configs.flatMap(({ targets }) => targets),
      ],
    }),
  );
