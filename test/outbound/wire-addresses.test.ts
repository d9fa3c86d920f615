import assert from "node:assert/strict";
import { DestinationRefused, isPublic, resolveChecked } from "../../src/outbound/wire/connections.js";
import { patient } from "../support/machine-speed.js";
import { type NameServer, openNameServer } from "../support/name-server.js";
import { openSink, type Sink } from "../support/sink.js";
import { localWire, signed } from "../support/wire.js";

const PUBLIC = [
  "1.1.1.1",
  "93.184.216.34",
  "172.15.255.255",
  "172.32.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
  "::ffff:1.1.1.1",
];
const REFUSED = {
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  unspecified: ["0.0.0.0", "0.1.2.3", "::"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  "unique local": ["fc00::1", "fd12:3456::1"],
  "link local": ["169.254.0.1", "fe80::1", "fe80::1%eth0", "fec0::1"],
  shared: ["100.64.0.1", "100.127.255.255"],
  metadata: [
    "169.254.169.254",
    "169.254.170.2",
    "fd00:ec2::254",
    "fd20:ce::254",
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
  ],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  "reserved, broadcast": ["240.0.0.1", "255.255.255.255", "192.0.0.1", "5f00::1"],
  "documentation, benchmarks": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "2001:db8::1", "3fff::1"],
  "IPv4 within IPv6": [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
  ],
  "NAT64, 6to4, Teredo": [
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2002:a9fe:a9fe::1",
    "2001:0:7f00:1::1",
  ],
  "not an address": ["", "partner.test", "1.1.1.1.1", "1.1.1.1/32"],
};

describe("addresses", () => {
  for (const address of PUBLIC) it(`${address} is public`, () => assert(isPublic(address)));
  for (const [kind, addresses] of Object.entries(REFUSED))
    for (const address of addresses) it(`"${address}" is not (${kind})`, () => assert(!isPublic(address)));
});

describe("a delivery URL", () => {
  let sink: Sink;
  before(async () => {
    sink = await openSink();
  });
  after(() => sink.stop());

  const guarded = localWire({ allowInternal: false });
  const hosts = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "0177.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "0x7f000001",
    "017700000001",
    "2130706433",
    "１２７。０。０。１",
    "%31%32%37.0.0.1",
    "0.0.0.0",
    "0",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LOCALHOST..",
    "ｌｏｃａｌｈｏｓｔ．",
    "%6c%6f%63%61%6c%68%6f%73%74%2e",
    "0x7f.1.",
    "service.localhost",
    "printer.local.",
    "api.internal",
    "nas.home.arpa",
    ".",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::]",
    "[::1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "169.254.169.254",
    "[fd00:ec2::254]",
  ];
  for (const host of hosts)
    it(`that leads to a local address as ${host} is refused, and nothing is sent`, async () => {
      const url = `http://somebody:x@${host}:${new URL(sink.url).port}/hook`;
      const outcome = await guarded.send({ url, ...signed() });
      assert.equal(outcome.error_kind, "ssrf_rejected");
      assert.match(`${outcome.error_detail}`, /not on the public internet$/);
      assert.equal(outcome.http_status, null);
      assert.equal(sink.connections, 0);
    });

  it("of plain HTTP is refused unless that is allowed", async () => {
    const wire = localWire({ allowHttp: false });
    const outcome = await wire.send({ url: sink.url, ...signed() });
    assert.equal(outcome.error_kind, "ssrf_rejected");
    assert.equal(sink.connections, 0);
  });
});

describe("a host name", () => {
  let names: Record<string, string[] | undefined>;
  let server: NameServer;
  const options = (allowInternal: boolean) => ({ allowInternal, nameServers: [server.address] });
  before(async () => {
    server = await openNameServer((name) => names[name]);
  });
  beforeEach(() => {
    server.asked.length = 0;
  });
  after(() => server.close());

  it("is refused when one of its addresses is", async () => {
    names = { "partner.test": ["93.184.216.34", "10.0.0.7"] };
    await assert.rejects(
      resolveChecked("partner.test", options(false)),
      new DestinationRefused("partner.test leads to 10.0.0.7, which is not on the public internet"),
    );
    assert.equal((await resolveChecked("partner.test", options(true))).length, 2);
  });

  it("of the machine's own network is refused wherever it leads, unless that is allowed", async () => {
    const name = "api.internal.";
    names = { "api.internal": ["93.184.216.34"] };
    await assert.rejects(
      resolveChecked(name, options(false)),
      new DestinationRefused("api.internal is not on the public internet"),
    );
    assert.deepEqual(server.asked, []);
    assert.equal((await resolveChecked(name, options(true))).length, 1);
  });

  it("gives its public addresses", async () => {
    names = { "partner.test": ["93.184.216.34"] };
    for (const name of ["partner.test", "partner.test."])
      assert.deepEqual(await resolveChecked(name, options(false)), [{ address: "93.184.216.34", family: 4 }]);
  });

  it("that changes is looked up once for each attempt, which goes to the address that was checked then", async () => {
    const sink = await openSink();
    const { port } = new URL(sink.url);
    // Nobody listens on the same port of the other address.
    const answers = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"], ["10.0.0.7"]];
    const wire = localWire(options(true));
    const guarded = localWire(options(false));
    const url = `http://rebinding.test:${port}/`;
    const attempt = async (through = wire) => {
      names = { "rebinding.test": answers[server.asked.length] };
      const { error_kind } = await through.send({ url, ...signed() });
      return error_kind ?? "sent";
    };
    assert.equal(await attempt(), "sent");
    assert.equal(await attempt(), "connection", "not by the kept connection");
    assert.equal(await attempt(), "sent");
    assert.equal(await attempt(guarded), "ssrf_rejected");
    assert.equal(server.asked.length, 4);
    assert.equal(sink.received.length, 2);
    assert.equal(sink.received[0]?.headers.host, `rebinding.test:${port}`);
    wire.close();
    await sink.stop();
  });

  it("whose first address is dead is reached at another", async () => {
    const sink = await openSink();
    names = { "two.test": ["127.0.0.2", "127.0.0.1"] };
    const wire = localWire(options(true));
    const url = sink.url.replace("127.0.0.1", "two.test");
    assert.equal((await wire.send({ url, ...signed() })).ok, true);
    wire.close();
    await sink.stop();
  });

  it("that nobody knows is a failed connection", async () => {
    names = { "gone.test": [] };
    const wire = localWire({ ...options(true), totalTimeoutMs: patient(5_000) });
    const url = "http://gone.test/";
    const { error_kind, error_detail } = await wire.send({ url, ...signed() });
    assert.equal(error_kind, "connection");
    assert.match(`${error_detail}`, /^The host name was not resolved/);
  });

  it("whose name server is dead delays nobody else", async () => {
    const sink = await openSink();
    names = { "alive.test": ["127.0.0.1"] };
    const wire = localWire({ ...options(true), totalTimeoutMs: patient(1_000) });
    let ended = 0;
    const dead = Array.from({ length: 20 }, async (_, i) => {
      const url = `http://dead-${i}.test/`;
      const outcome = await wire.send({ url, ...signed() });
      ended++;
      return outcome.error_kind;
    });
    const url = sink.url.replace("127.0.0.1", "alive.test");
    assert.equal((await wire.send({ url, ...signed() })).ok, true);
    assert.equal(ended, 0);
    // Whichever is over first: the attempt's time, or the resolver's.
    for (const kind of await Promise.all(dead)) assert.match(`${kind}`, /^(timeout|connection)$/);
    wire.close();
    await sink.stop();
  });
});
