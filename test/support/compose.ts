import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

interface Service {
  image: string;
  command: string[];
  entrypoint: string[];
  environment: Record<string, string>;
  healthcheck?: { test: [kind: "CMD", ...command: string[]] };
}

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const { services, configs } = parse(read("docker-compose.yml"), { merge: true }) as {
  services: Record<string, Service>;
  configs: Record<string, { content?: string; file?: string }>;
};

/** A text with its variables as `.env` gives them, or with their defaults. */
const fill = (text: string, given: Record<string, string>) =>
  text
    .replace(
      /(?<!\$)\$\{(\w+):([-?])([^}]*)\}/g,
      (_, variable: string, kind: "-" | "?", rest: string) =>
        given[variable] ?? (kind === "-" ? rest : assert.fail(`${variable}: ${rest}`)),
    )
    .replaceAll("$$", "$");

export function configFile(name: string, given: Record<string, string> = {}): string {
  const { content, file } = configs[name] ?? assert.fail(`no config ${name}`);
  return file ? read(file) : fill(content as string, given);
}

function service(name: string): Service {
  return services[name] ?? assert.fail(`no service ${name}`);
}

export const imageOf = (name: string) => service(name).image;
export const commandOf = (name: string) => service(name).command.map((word) => fill(word, {}));
export const entrypointOf = (name: string) => service(name).entrypoint;

export function healthCheckOf(name: string): string[] {
  const [kind, ...command] = service(name).healthcheck?.test ?? [];
  assert.equal(kind, "CMD", `${name} has no health check that is a command`);
  return command;
}

/** The environment of a service when `.env` says what is given. */
export function environmentOf(name: string, given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(service(name).environment).map(([key, value]) => [key, fill(value, given)]));
}
