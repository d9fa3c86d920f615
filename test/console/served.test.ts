import assert from "node:assert/strict";
import { testService } from "../support/service.js";

describe("the pages of the console, as they are served", () => {
  const service = testService();
  const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

  it("are one page for all addresses below, which is asked for anew each time", async () => {
    for (const path of ["/console", "/console/", "/console/items/7", "/scan", "/scan/receive"]) {
      const response = await get(path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get("cache-control"), "no-cache");
      assert.match(await response.text(), /<div id="root">/);
    }
  });

  it("allow no script but their own, and the camera only to the scanner", async () => {
    const desk = (await get("/console/")).headers;
    const floor = (await get("/scan/")).headers;
    for (const { policy, more } of [
      { policy: desk.get("content-security-policy"), more: "" },
      { policy: floor.get("content-security-policy"), more: " 'wasm-unsafe-eval'" },
    ])
      assert.equal(/script-src [^;]*/.exec(policy ?? "")?.[0], `script-src 'self'${more}`);
    assert.match(desk.get("permissions-policy") ?? "", /camera=\(\)/);
    assert.match(floor.get("permissions-policy") ?? "", /camera=\(self\)/);
  });

  it("have files that are kept for ever, compressed for who takes that", async () => {
    const html = await (await get("/console/")).text();
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
    const response = await get(script, { "accept-encoding": "gzip" });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(response.headers.get("content-encoding"), "gzip");
    assert.match(response.headers.get("content-type") ?? "", /javascript/);
    assert.equal((await get(script, { "accept-encoding": "identity" })).headers.get("content-encoding"), null);
  });

  it("refuse what is no file of theirs", async () => {
    for (const path of ["/console/assets/none.js", "/console/assets/..%2f..%2fapi%2fmain.js", "/consoles"])
      assert.equal((await get(path)).status, 404, path);
  });

  it("can be installed on a device", async () => {
    const manifest = JSON.parse(await (await get("/console/scan.webmanifest")).text());
    assert.equal(manifest.scope, "/scan/");
    for (const { src } of manifest.icons) assert.equal((await get(src)).headers.get("content-type"), "image/png");
    assert.equal((await get("/scan/sw.js")).headers.get("cache-control"), "no-cache");
  });

  it("are linked from the start", async () => {
    const html = await (await get("/")).text();
    assert.match(html, /href="\/console\/"[\s\S]*href="\/scan\/"/);
  });
});
