import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ConfigError, envName, type Role, readConfig, unknownVariables } from "../../../src/platform/config/config.js";
import { variables } from "../../../src/platform/config/variables.js";

const key = Buffer.alloc(32, 1).toString("base64");
const faults = (env: NodeJS.ProcessEnv, role: Role = "all"): string => {
  try {
    readConfig(env, role);
    return "";
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.message;
  }
};

describe("configuration", () => {
  it("needs no variable for npm start", () => {
    const config = readConfig({}, "all");
    assert.equal(config.host, "127.0.0.1");
    assert.equal(config.port, 8080);
    assert.equal(config.temporalTaskQueue, "warehouse");
    assert.deepEqual(config.corsOrigins, [
      ...["http://localhost:3000", "http://localhost:5000", "http://localhost:5173", "http://localhost:8081"],
    ]);
  });

  it("trusts no browser origin in production but those that are given", () => {
    const production = { NODE_ENV: "production" };
    assert.deepEqual(readConfig(production, "all").corsOrigins, []);
    const given = { ...production, CORS_ORIGINS: "https://a.example, " };
    assert.deepEqual(readConfig(given, "all").corsOrigins, ["https://a.example"]);
  });

  it("reads the encryption keys that were before from one list", () => {
    const [one, other] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString("base64"));
    const read = (keys: string) => readConfig({ SERVICE_ENCRYPTION_KEYS_PREVIOUS: keys }, "all");
    assert.deepEqual(read("").encryptionKeysPrevious, []);
    assert.deepEqual(read(`${one}, ${other},`).encryptionKeysPrevious, [one, other]);
    assert.match(
      faults({ SERVICE_ENCRYPTION_KEYS_PREVIOUS: `${one},short` }),
      /^ {2}SERVICE_ENCRYPTION_KEYS_PREVIOUS: expected 32 random bytes/m,
    );
  });

  it("reads source systems from one list", () => {
    const { sourceSystems } = readConfig({ SERVICE_SOURCE_SYSTEMS: "shop:connector, erp-2:internal_tool," }, "all");
    assert.deepEqual(sourceSystems, [
      { source_system: "shop", kind: "connector" },
      { source_system: "erp-2", kind: "internal_tool" },
    ]);
  });

  it("takes an empty variable for one that is not given", () => {
    assert.equal(readConfig({ PORT: "", DATABASE_URL: "" }, "all").port, 8080);
  });

  const wrong: Record<string, string[]> = {
    PORT: ["x", "0", "65536", "80.5"],
    DATABASE_URL: ["mysql://a/b", "here"],
    DATABASE_POOL_SIZE: ["0"],
    TEMPORAL_ADDRESS: ["localhost"],
    TEMPORAL_TLS_CA: ["/no/such/file"],
    SERVICE_ADMIN_PASSWORD: ["admin", "Short1", "lettersonly", "1234567890"],
    SERVICE_DEMO_DATA: ["perhaps"],
    JWT_SECRET: ["short"],
    SERVICE_ENCRYPTION_KEY: ["short", "!".repeat(44)],
    SERVICE_TOKEN_PEPPER: ["short", "x".repeat(40), " ".repeat(40), "change-me-to-something-long-and-random"],
    SERVICE_COMPANY_TIMEZONE: ["Berlin", "+02:00", "GMT+2", "UTC; x"],
    CORS_ORIGINS: ["*", "http://a, b", "http://a/path"],
    TRUST_PROXY: ["2"],
    LOG_LEVEL: ["loud"],
    RATE_LIMIT_PER_MINUTE: ["-1", "many"],
    OPEN_RATE_LIMIT_PER_MINUTE: ["-1", "1.5"],
    SERVICE_ADMIN_USERNAME: ["system:boss", "a\u200bb"],
    SERVICE_SOURCE_SYSTEMS: ["shop", "shop:x", "a b:connector", "a:connector:b"],
    SERVICE_INBOUND_MAX_BODY_KB: ["15", "4097", "big"],
    INBOUND_RATE_LIMIT_PER_MINUTE: ["-1"],
    SERVICE_INBOUND_SOURCE_PAYLOAD_RETENTION_DAYS: ["6", "0", "long"],
    SERVICE_AUDIT_RETENTION_DAYS: ["89", "long", "90"],
    SERVICE_EVENT_RETENTION_DAYS: ["89", "90"],
    SERVICE_MOVEMENT_RETENTION_DAYS: ["89", "90"],
    POLL_RATE_LIMIT_PER_MINUTE: ["-1", "1.5"],
    SNAPSHOT_RATE_LIMIT_PER_MINUTE: ["-1"],
    SERVICE_VALIDATE_EVENT_SCHEMAS: ["perhaps"],
    DISPATCHER_ENABLED: ["perhaps"],
    DISPATCHER_HTTP_TIMEOUT_MS: ["999", "60001"],
    DISPATCHER_HTTP_CONNECT_TIMEOUT_MS: ["99", "60001", "10001"],
    DISPATCHER_HTTP_READ_TIMEOUT_MS: ["99", "60001", "10001"],
    DISPATCHER_RETRY_DELAYS_MS: ["1000", "1,2,3,4,5,6,x", "1,2,3,4,5,6,0"],
    DISPATCHER_FALLBACK_POLL_MS: ["499", "10001"],
    DISPATCHER_SHUTDOWN_DRAIN_S: ["0", "301"],
    DISPATCHER_MAX_CONCURRENT_POSTS: ["0", "101"],
    DISPATCHER_MAX_PENDING_HARD_CAP: ["999", "10000001"],
    DISPATCHER_MAX_DLQ_HARD_CAP: ["99", "1000001"],
    DISPATCHER_REPLAY_BATCH_HARD_CAP: ["0"],
    DISPATCHER_REPLAY_BATCH_GLOBAL_BUDGET: ["0"],
    DISPATCHER_REPLAY_BATCH_GLOBAL_WINDOW_S: ["0"],
    DISPATCHER_INFLIGHT_RECLAIM_S: ["0"],
    SERVICE_ALLOW_HTTP_WEBHOOKS: ["perhaps"],
    SERVICE_ALLOW_INTERNAL_WEBHOOKS: ["perhaps"],
    SERVICE_ALLOW_INTERNAL_CONNECTORS: ["perhaps"],
    CONNECTOR_HTTP_TIMEOUT_MS: ["99", "300001"],
    CONNECTOR_BACKOFF_MS: ["-1", "60001"],
    CONNECTOR_CIRCUIT_OPEN_MS: ["0", "86400001"],
    CONNECTOR_RETRY_DELAY_MS: ["-1", "3600001"],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      it(`refuses ${name}=${value}`, () => {
        assert.match(faults({ [name]: value }), new RegExp(`^ {2}${name}: expected`, "m"));
      });

  it("lists everything that is wrong in one message, a line each", () => {
    const env = Object.entries(wrong).map(([name, [value]]) => [name, value]);
    const message = faults({
      ...Object.fromEntries(env),
      TEMPORAL_TLS_CERT: process.execPath,
      TRUST_PROXY: "yes",
      HOST: "0.0.0.0",
    });
    for (const name of [...Object.keys(wrong), "TEMPORAL_TLS_KEY"])
      assert.match(message, new RegExp(`^ {2}.*${name}.*: expected`, "m"));
  });

  it("asks of each role what it cannot do without", () => {
    const missing = (role: Role) => [...faults({}, role).matchAll(/^ {2}(\w+): required/gm)].map(([, name]) => name);
    assert.deepEqual(missing("migrate"), ["DATABASE_URL"]);
    assert.deepEqual(missing("worker"), ["DATABASE_URL", "TEMPORAL_ADDRESS", "SERVICE_ENCRYPTION_KEY"]);
    assert.deepEqual(missing("api"), [
      "DATABASE_URL",
      "TEMPORAL_ADDRESS",
      "JWT_SECRET",
      "SERVICE_ENCRYPTION_KEY",
      "SERVICE_TOKEN_PEPPER",
    ]);
    const given = {
      DATABASE_URL: "postgres://a:b@c/d",
      TEMPORAL_ADDRESS: "t:7233",
      JWT_SECRET: "x".repeat(32),
      SERVICE_ENCRYPTION_KEY: key,
      SERVICE_TOKEN_PEPPER: "Pepper of a test, 32 characters and more",
    };
    assert.equal(readConfig(given, "api").jwtSecret.length, 32);
  });

  it("refuses to trust a proxy on every interface, unless told that this is safe", () => {
    const open = { TRUST_PROXY: "1", HOST: "0.0.0.0" };
    assert.match(faults(open), /TRUST_PROXY: expected a HOST/);
    assert.equal(faults({ ...open, SERVICE_ALLOW_OPEN_BIND: "1" }), "");
    assert.equal(faults({ TRUST_PROXY: "1", HOST: "10.0.0.1" }), "");
  });

  it("gives no part of an attempt more time than the whole attempt", () => {
    const parts = ["CONNECT", "READ"].map((part) => `DISPATCHER_HTTP_${part}_TIMEOUT_MS`);
    for (const part of parts) {
      const whole = { DISPATCHER_HTTP_TIMEOUT_MS: "20000" };
      assert.equal(faults({ ...whole, [part]: "20000" }), "");
      assert.match(
        faults({ ...whole, [part]: "20001" }),
        new RegExp(`^ {2}${part}: expected at most .*, which is 20000$`, "m"),
      );
    }
    const short = faults({ DISPATCHER_HTTP_TIMEOUT_MS: "4000" });
    for (const part of parts) assert.match(short, new RegExp(part));
  });

  it("lets webhooks and connectors reach this machine in development, and never in production", () => {
    const switches = {
      SERVICE_ALLOW_HTTP_WEBHOOKS: "true",
      SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true",
      SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
    };
    assert.equal(faults(switches), "");
    for (const [name, value] of Object.entries(switches)) {
      const production = { NODE_ENV: "production" };
      assert.match(
        faults({ ...production, [name]: value }),
        new RegExp(`^ {2}${name}: expected false with NODE_ENV=prod`, "m"),
      );
      assert.equal(faults({ ...production, [name]: "false" }), "");
    }
  });

  it("names variables that nobody reads, and the one that is meant", () => {
    const env = {
      SERVICE_DATADIR: "x",
      SERVICE_ENCRYPTON_KEY: "x",
      SERVICE_DATA_DIR: "x",
      SERVICE_NAME: "",
      OTHER: "x",
    };
    assert.deepEqual(unknownVariables(env), [
      "SERVICE_DATADIR is no variable of this service, it does nothing; is SERVICE_DATA_DIR meant?",
      "SERVICE_ENCRYPTON_KEY is no variable of this service, it does nothing; is SERVICE_ENCRYPTION_KEY meant?",
      "SERVICE_NAME is no variable of this service, it does nothing.",
    ]);
  });

  it("is documented variable by variable", () => {
    const table = readFileSync("docs/configuration.md", "utf8").replace(/ +/g, " ");
    for (const name of Object.keys(variables) as (keyof typeof variables)[]) {
      const { description } = variables[name].meta() ?? {};
      const row = table.split("\n").find((line) => line.startsWith(`| \`${envName(name)}\` |`));
      assert(row?.includes(`${description}`), `${envName(name)}: ${description}`);
    }
  });
});
