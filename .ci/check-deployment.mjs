// What the linters of docker-compose.yml and Dockerfile do not know: how the two fit this project, and what we ask of
// each service. Part of `npm run check`.
import { existsSync, readFileSync } from "node:fs";
import { DockerfileParser } from "dockerfile-ast";
import { parse } from "yaml";

const read = (path) => readFileSync(path, "utf8");
const faults = [];
const expect = (holds, fault) => holds || faults.push(fault);

const compose = read("docker-compose.yml");
const { services, networks, configs } = parse(compose, { merge: true });
const { scripts } = JSON.parse(read("package.json"));

/** A secret comes from outside and has no default; nor has what holds one. */
const secret = /PASSWORD|PWD|SECRET|KEY|_URL$/;
/**
 * The first admin's password is made when it is missing; keys that were before are there while one is changed; those of
 * Temporal are for a cluster elsewhere; the panel is another service, if there is one.
 */
const optional = [
  "SERVICE_ADMIN_PASSWORD",
  "SERVICE_ENCRYPTION_KEYS_PREVIOUS",
  "TEMPORAL_API_KEY",
  "TEMPORAL_TLS_KEY",
  "SERVICE_PANEL_URL",
  "SERVICE_TEMPORAL_UI_URL",
];
/** Ends by itself; whoever needs it waits for that. */
const once = ({ restart }) => restart === "no" || restart?.startsWith("on-failure");
const pinned = (image) => /:v?\d+\.\d+/.test(image);

for (const [name, service] of Object.entries(services)) {
  const ask = (holds, fault) => expect(holds, `compose, ${name}: ${fault}`);
  const { limits } = service.deploy?.resources ?? {};
  ask(pinned(service.image), `image ${service.image} names no version`);
  ask(once(service) || service.restart === "unless-stopped", "no restart policy");
  ask(once(service) || service.healthcheck, "no health check");
  ask(limits?.memory && limits.cpus, "no limits of memory and processors");
  ask(!service.container_name, "a fixed name stands in the way of a second one");
  ask(!service.privileged, "privileged");
  ask(service.logging?.options?.["max-size"], "a log without an end");
  for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
    const fits = once(services[other]) ? "service_completed_successfully" : "service_healthy";
    ask(condition === fits, `waits for ${other} to be ${condition}`);
  }
  // The proxy's are open to both families.
  for (const port of service.ports ?? [])
    ask(name === "proxy" ? /^\d+:\d+$/.test(port) : port.startsWith("127.0.0.1:"), `opens ${port}`);
  for (const [variable, value] of Object.entries(service.environment ?? {}))
    if (secret.test(variable) && !optional.includes(variable))
      ask(/\$\{\w+:\?[^}]+\}/.test(value), `${variable} is not asked for`);
}

// Ours run the commands that package.json has names for, with variables that are documented.
const documented = read("docs/configuration.md");
const ours = Object.entries(services).filter(([, service]) => service.build);
/** `backup` runs its command again and again (test/system/deployment.test.ts). */
const roles = { api: "start:api", worker: "start:worker", migrate: "migrate", backup: undefined };
expect(
  ours.map(([name]) => name).join() === Object.keys(roles).join(),
  "compose: api, worker, migrate, backup, and no other, are built here",
);
for (const [name, service] of ours) {
  const command = `exec ${service.command.join(" ")}`;
  const script = roles[name];
  expect(!script || command === scripts[script], `compose, ${name}: not "${script}"`);
  for (const variable of Object.keys(service.environment))
    expect(documented.includes(`| \`${variable}\` `), `compose, ${name}: ${variable} is not in docs/configuration.md`);
}

/** Who owns the tables can do anything to the audit log, so only migrate is that, and backup, which restores. */
const userOf = (name) => /^postgres:\/\/(\w+):/.exec(services[name].environment.DATABASE_URL)?.[1];
const { SERVICE_DATABASE_APP_ROLE: application } = services.migrate.environment;
for (const name of ["api", "worker"])
  expect(
    userOf(name) === application && application !== userOf("migrate"),
    `compose, ${name}: not the role that migrate grants to`,
  );

for (const name of ["api", "worker"])
  expect(
    services[name].networks.some((network) => !networks[network]?.internal),
    `compose, ${name}: no way out to the partners of webhooks and the sources of connectors`,
  );

for (const [, variable] of documented.matchAll(/^\| `(TEMPORAL_(?:ADDRESS|NAMESPACE|API_KEY|TLS_\w+))` /gm))
  for (const name of ["api", "worker"])
    expect(
      variable in services[name].environment,
      `compose, ${name}: ${variable}, for a cluster elsewhere, is missing`,
    );

/** The formula of docs/operations.md, with what Temporal takes as delivered. */
const defaults = Object.fromEntries(
  [...compose.matchAll(/\$\{(\w+):-(\d+)\}/g)].map(([, name, value]) => [name, +value]),
);
const { API_REPLICAS, WORKER_REPLICAS, DATABASE_POOL_SIZE, POSTGRES_MAX_CONNECTIONS } = defaults;
const connections = (workers) =>
  API_REPLICAS * (DATABASE_POOL_SIZE + 2) + workers * (DATABASE_POOL_SIZE + 4) + 10 + 120;
expect(
  connections(WORKER_REPLICAS + 1) <= POSTGRES_MAX_CONNECTIONS,
  "compose, postgres: another worker has no connections",
);
expect(
  read("docs/operations.md").includes(` = ${connections(WORKER_REPLICAS)}, of ${POSTGRES_MAX_CONNECTIONS};`),
  "docs/operations.md: the connections that compose takes are other ones",
);

/** As long as docs/operations.md says; `npm start` has a test of its own. */
expect(
  services["temporal-namespace"].command.join().includes("namespace create --namespace default --retention 30d"),
  "compose, temporal-namespace: workflows that have ended are not kept for 30 days",
);
expect(
  read("docs/operations.md").includes("Workflows that have ended can be looked at for 30 days."),
  "docs/operations.md: it does not say how long workflows that have ended are kept",
);

// What is mounted out of this folder is there.
for (const [name, { volumes = [] }] of Object.entries(services))
  for (const [, path] of volumes.map((volume) => /^\.\/(monitoring[^:]*):/.exec(volume)).filter(Boolean))
    expect(existsSync(path), `compose, ${name}: there is no ${path} to mount`);
for (const [name, { file }] of Object.entries(configs))
  expect(!file || existsSync(file), `compose, config ${name}: there is no ${file}`);
// The archive is of the server that it is restored to.
for (const name of ["archive", "restore"])
  expect(services[name].image === services.postgres.image, `compose, ${name}: not the image of postgres`);

expect(
  configs.caddyfile.content.includes(`-api-${API_REPLICAS}:`),
  "compose, proxy: it does not know all replicas of the API",
);
expect(/^ *encode /m.test(configs.caddyfile.content), "compose, proxy: answers are not compressed");

// .env.example names what the compose file takes from outside, all of it and nothing else. The project's name is given by
// Compose itself.
const asked = [...compose.matchAll(/(?<!\$)\$\{(?!COMPOSE_)(\w+)(:\?)?/g)];
const example = read(".env.example");
const named = [...example.matchAll(/^(#?)([A-Z_]+)=/gm)];
for (const [, variable, required] of asked)
  expect(
    named.some(([, off, name]) => name === variable && !off === Boolean(required)),
    `.env.example: ${variable}${required ? "=" : " (behind #)"} is missing`,
  );
for (const [, , variable] of named)
  expect(
    asked.some(([, name]) => name === variable),
    `.env.example: nobody reads ${variable}`,
  );

// The Dockerfile: of pinned images, from files that are there, to a user without rights.
const dockerfile = DockerfileParser.parse(read("Dockerfile"));
const stages = dockerfile.getFROMs();
for (const stage of stages) {
  const image = stage.getImage();
  const earlier = stages.some((other) => other.getBuildStage() === image);
  expect(earlier || pinned(image), `Dockerfile: ${image} names no version`);
}
const instructions = dockerfile.getInstructions();
const keywords = instructions.map((instruction) => instruction.getKeyword());
const last = instructions.slice(keywords.lastIndexOf("FROM"));
const words = (instruction) => instruction.getArguments().map((argument) => argument.getValue());
const lastOf = (keyword) => last.findLast((instruction) => instruction.getKeyword() === keyword);
expect(!keywords.includes("ADD"), "Dockerfile: COPY says what ADD would guess");
expect(lastOf("USER") && !["root", "0"].includes(words(lastOf("USER"))[0]), "Dockerfile: runs as root");
expect(lastOf("HEALTHCHECK"), "Dockerfile: no health check");
for (const copy of dockerfile.getCOPYs()) {
  if (copy.getFlags().some((flag) => flag.getName() === "from")) continue;
  for (const source of words(copy).slice(0, -1))
    expect(existsSync(source), `Dockerfile: there is no ${source} to copy`);
}
for (const [, path] of read(".dockerignore").matchAll(/^!(.+)$/gm))
  expect(existsSync(path), `.dockerignore: there is no ${path}`);

// The lock file: what is installed is what somebody looked at.
const { packages } = JSON.parse(read("package-lock.json"));
for (const [path, { integrity, link }] of Object.entries(packages))
  expect(!path || link || integrity, `package-lock.json: ${path} has no integrity; node .ci/complete-lock.mjs adds it`);

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
