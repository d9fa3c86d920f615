import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

interface Service {
  command: string[];
  environment: Record<string, string>;
  healthcheck?: { test: [kind: "CMD", ...command: string[]] };
}

const file = new URL("../../../docker-compose.yml", import.meta.url);
const { services, configs } = parse(readFileSync(file, "utf8"), { merge: true }) as {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
};

export function configFile(name: string): string {
  return configs[name]?.content ?? assert.fail(`no config ${name}`);
}

function service(name: string): Service {
  return services[name] ?? assert.fail(`no service ${name}`);
}

export const commandOf = (name: string) => service(name).command;

export function healthCheckOf(name: string): string[] {
  const [kind, ...command] = service(name).healthcheck?.test ?? [];
  assert.equal(kind, "CMD", `${name} has no health check that is a command`);
  return command;
}

/** The environment of a service when `.env` says what is given. */
export function environmentOf(name: string, given: Record<string, string>): Record<string, string> {
  const fill = (value: string) =>
    value.replace(
      /\$\{(\w+):([-?])([^}]*)\}/g,
      (_, variable: string, kind: "-" | "?", rest: string) =>
        given[variable] ?? (kind === "-" ? rest : assert.fail(`${variable}: ${rest}`)),
    );
  return Object.fromEntries(Object.entries(service(name).environment).map(([key, value]) => [key, fill(value)]));
}
