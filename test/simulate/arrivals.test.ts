import assert from "node:assert/strict";
import { nextArrival, ordersPerHour, salesPerHour } from "../../simulate/arrivals.js";
import { type Carrier, handedTo } from "../../simulate/carriers.js";
import { lineCount, pace, popular, unitCount } from "../../simulate/choices.js";
import { randomOf } from "../../simulate/random.js";

const DAY = 24 * 60;
const at = (hour: number, day = 0) => day * DAY + hour * 60;
const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe("arrivals", () => {
  it("are few at night, more at noon, most in the evening, and fewer at the weekend", () => {
    assert.ok(ordersPerHour(at(3)) < ordersPerHour(at(8)));
    assert.ok(ordersPerHour(at(8)) < ordersPerHour(at(12)));
    assert.ok(ordersPerHour(at(15)) < ordersPerHour(at(12)), "between the peaks it is quieter");
    assert.ok(ordersPerHour(at(12)) < ordersPerHour(at(19)));
    assert.ok(ordersPerHour(at(12, 6)) < ordersPerHour(at(12, 2)));
    assert.equal(ordersPerHour(at(12, 7)), ordersPerHour(at(12)), "a week later it is the same");
  });

  it("change steadily from hour to hour, also over midnight", () => {
    assert.equal(ordersPerHour(at(12.5, 1)), (ordersPerHour(at(12, 1)) + ordersPerHour(at(13, 1))) / 2);
    assert.ok(Math.abs(ordersPerHour(at(23.999, 1)) - ordersPerHour(at(0, 2))) < 0.1);
  });

  it("come as often as the rate says, and at the counter only while it is open", () => {
    const random = randomOf(7, "arrivals");
    const times: number[] = [];
    for (let minute = at(0, 1); minute < at(0, 2); times.push(minute))
      minute = nextArrival(minute, ordersPerHour, random);
    const inHour = (hour: number) => times.filter((time) => Math.floor((time - DAY) / 60) === hour).length;
    const expected = many(24, () => 0).reduce((sum, _, hour) => sum + ordersPerHour(at(hour + 0.5, 1)), 0);
    assert.ok(Math.abs(times.length - expected) < 4 * Math.sqrt(expected), `${times.length} of ${expected}`);
    assert.ok(inHour(19) > 3 * inHour(6));
    assert.deepEqual([salesPerHour(at(8.9)), salesPerHour(at(20))], [0, 0]);
    assert.ok(nextArrival(at(21), salesPerHour, random) > at(9, 1), "nobody buys before it opens again");
  });
});

describe("choices", () => {
  it("give each parcel a number as its carrier has them", () => {
    const looks: Record<Carrier, RegExp> = { UPS: /^1Z\d{16}$/, FedEx: /^\d{12}$/, USPS: /^\d{22}$/, DHL: /^\d{10}$/ };
    const random = randomOf(7, "shipper");
    const parcels = many(200, () => handedTo(random));
    for (const { carrier, tracking } of parcels) assert.match(tracking, looks[carrier]);
    assert.equal(new Set(parcels.map(({ carrier }) => carrier)).size, 4);
  });

  it("are repeated by a seed, are another person's under another name, and others under another seed", () => {
    const stream = (seed: number, name: string) => {
      const random = randomOf(seed, name);
      return many(20, () => random.below(1000));
    };
    assert.deepEqual(stream(1, "picker 1"), stream(1, "picker 1"));
    assert.notDeepEqual(stream(1, "picker 1"), stream(1, "picker 2"));
    assert.notDeepEqual(stream(1, "picker 1"), stream(2, "picker 1"));
  });

  it("give many orders one line and few ten, and most lines one unit", () => {
    const random = randomOf(1, "lines");
    const lines = many(5000, () => lineCount(random));
    const share = (count: number) => lines.filter((one) => one === count).length / lines.length;
    assert.ok(share(1) > 0.4 && share(1) < 0.52);
    assert.ok(share(10) > 0 && share(10) < 0.03);
    assert.deepEqual([Math.min(...lines), Math.max(...lines)], [1, 10]);
    const units = many(5000, () => unitCount(random));
    assert.ok(units.filter((one) => one === 1).length > 3000);
    assert.deepEqual([Math.min(...units), Math.max(...units)], [1, 6]);
  });

  it("want the first items most, and no item twice on an order", () => {
    const random = randomOf(1, "items");
    const items = many(40, () => 0).map((_, i) => i);
    const chosen = many(3000, () => popular(items, 1, random)[0] as number);
    const times = (item: number) => chosen.filter((one) => one === item).length;
    assert.ok(times(0) > 1.5 * times(1));
    assert.ok(times(1) > 5 * times(30));
    const whole = popular(items, 50, random);
    assert.deepEqual([whole.length, new Set(whole).size], [40, 40]);
  });

  it("take a person about the usual time", () => {
    const random = randomOf(1, "pace");
    const times = many(3000, () => pace(10, random));
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    assert.ok(mean > 8 && mean < 10, `${mean}`);
    assert.ok(Math.min(...times) >= 5 && Math.max(...times) < 23);
  });
});
