import assert from "node:assert/strict";
import { mayHoldPrinter, placeOf, printerAddresses } from "../../src/printing/addresses.js";
import type { PrinterKind } from "../../src/printing/kinds.js";

describe("addresses of printers", () => {
  const placed = (kind: PrinterKind, address: string) => {
    const { hostname, port, url } = placeOf(kind, address);
    return url?.href ?? `${hostname}:${port}`;
  };

  it("say a host and a port, or where a printer is by HTTP", () => {
    assert.equal(placed("raw9100", "192.168.10.20"), "192.168.10.20:9100");
    assert.equal(placed("raw9100", "Zebra-1.lan:6101"), "zebra-1.lan:6101");
    assert.equal(placed("raw9100", "[fd00::1]:9100"), "[fd00::1]:9100");
    assert.equal(placed("ipp", "ipp://192.168.10.20/ipp/print"), "http://192.168.10.20:631/ipp/print");
    assert.equal(placed("ipp", "ipps://office.lan:443/p"), "https://office.lan/p");
    assert.equal(placed("printnode", "https://api.printnode.com/printers/70"), "https://api.printnode.com/printers/70");
  });

  it("are refused where they say something else", () => {
    const wrong: [PrinterKind, string][] = [
      ...["", "a b", "a:0", "a:65536", "a/b", "http://a", "[::1", "a:b"].map((text) => ["raw9100", text] as const),
      ...["http://a/", "ipp:///x", "a", "ipp://u:p@a/x", "ipp://a b/"].map((text) => ["ipp", text] as const),
      ...["https://a/printers/x", "https://a/", "ftp://a/printers/1", "https://u@a/printers/1"].map(
        (text) => ["printnode", text] as const,
      ),
    ].map(([kind, text]) => [kind as PrinterKind, text as string]);
    for (const [kind, text] of wrong)
      assert.throws(() => placeOf(kind, text), /The address is to be/, `${kind} ${text}`);
  });

  it("are only in the networks that are named, and never where a cloud gives out credentials", () => {
    const networks = ["192.168.10.0/24", "fd00:1::/32"];
    for (const [address, may] of [
      ["192.168.10.20", true],
      ["::ffff:192.168.10.20", true],
      ["192.168.11.20", false],
      ["fd00:1::7", true],
      ["fd00:2::7", false],
      ["10.0.0.1", false],
      ["8.8.8.8", false],
      ["no address", false],
    ] as const)
      assert.equal(mayHoldPrinter(address, networks), may, address);
    for (const never of ["169.254.169.254", "168.63.129.16", "100.100.100.200", "fe80::1", "fd00:ec2::254", "0.0.0.0"])
      assert.equal(mayHoldPrinter(never, ["0.0.0.0/0", "::/0"]), false, never);
    assert.equal(mayHoldPrinter("192.168.10.20", []), false);
  });

  it("may be on the public internet only for a service, encrypted", async () => {
    const asked = (kind: PrinterKind, address: string, networks: string[] = []) =>
      printerAddresses(kind, placeOf(kind, address), networks);
    const [found] = await asked("printnode", "https://8.8.8.8/printers/1");
    assert.equal(found?.address, "8.8.8.8");
    await assert.rejects(asked("printnode", "http://8.8.8.8/printers/1"), /in no network that printers may be in/);
    await assert.rejects(asked("printnode", "https://10.0.0.1/printers/1"), /10\.0\.0\.1 is in no network/);
    await assert.rejects(asked("ipp", "ipps://8.8.8.8/ipp"), /in no network/);
    await assert.rejects(asked("raw9100", "8.8.8.8"), /in no network/);
    const [inHouse] = await asked("raw9100", "0x7f.1", ["127.0.0.0/8"]);
    assert.equal(inHouse?.address, "127.0.0.1");
  });
});
