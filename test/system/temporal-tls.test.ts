import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { Connection } from "@temporalio/client";
import { NativeConnection } from "@temporalio/worker";
import { readConfig } from "../../src/platform/config/config.js";
import { temporalOptions } from "../../src/platform/temporal/connection.js";
import { installRuntime } from "../../workers/runtime.js";
import { authority, certificate, key } from "../support/certificates.js";

// The SDK logs through our log.
installRuntime();

describe("a Temporal cluster whose certificate has another name than its address", () => {
  let server: Server;
  let folder: string;
  before(async () => {
    const [host, port] = (process.env.TEST_TEMPORAL_ADDRESS as string).split(":");
    server = createServer({ key, cert: certificate, ALPNProtocols: ["h2"] }, (client) => {
      const upstream = connect(Number(port), host);
      client.pipe(upstream).pipe(client);
      for (const end of [client, upstream]) end.on("error", () => end.destroy());
    });
    await new Promise<void>((listens) => void server.listen(0, "127.0.0.1", listens));
    folder = mkdtempSync(join(tmpdir(), "warehouse-tls-"));
    writeFileSync(join(folder, "ca.pem"), authority);
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const options = (more: Record<string, string>) =>
    temporalOptions(
      readConfig(
        {
          DATABASE_URL: "postgres://nowhere/nothing",
          TEMPORAL_ADDRESS: `localhost:${(server.address() as AddressInfo).port}`,
          TEMPORAL_TLS_CA: join(folder, "ca.pem"),
          SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
          ...more,
        },
        "worker",
      ),
    );

  it("is reached by API and workers with TEMPORAL_TLS_SERVER_NAME", async () => {
    const named = options({ TEMPORAL_TLS_SERVER_NAME: "partner.test" });
    for (const connection of [await Connection.connect(named), await NativeConnection.connect(named)]) {
      const { serverVersion } = await connection.workflowService.getSystemInfo({});
      assert.match(serverVersion, /^\d+\./);
      await connection.close();
    }
  });

  it("is refused without it", async () => {
    await assert.rejects(Connection.connect({ ...options({}), connectTimeout: "2s" }));
  });
});
