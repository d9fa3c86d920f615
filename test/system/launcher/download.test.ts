import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";

describe("a download", () => {
  const MB = 1_000_000;
  let server: Server;
  before(async () => {
    server = createServer((_req, res) => res.end(Buffer.alloc(25 * MB)));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => server.close());

  it("shows its progress where no program reads it", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/server`;
    const script = `
      const { download } = await import("./dist/src/launcher/download.js");
      console.log((await download(${JSON.stringify(url)}, { what: "Server" })).length);`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    assert.equal(stdout, `${25 * MB}\n`);
    assert.match(stderr, /^ {2}Server: \d+ of 25 MB$/m);
  });
});
