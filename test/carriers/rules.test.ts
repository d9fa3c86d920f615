import assert from "node:assert/strict";
import fc from "fast-check";
import { kilograms, minorUnits, ounces } from "../../src/carriers/amounts.js";
import { type AccountRate, chooseRate, type Rule } from "../../src/carriers/rules.js";

const rate = (service: string, cost_minor: number, fields: Partial<AccountRate> = {}): AccountRate => ({
  ...{ rate_id: service, remote_id: null, account_id: 1, carrier: "USPS", service, cost_minor },
  ...{ currency: "USD", days: 3, ...fields },
});
const rule = (rule_name: string, fields: Partial<Rule> = {}): Rule => ({
  ...{ rule_name, ship_method: null, min_weight_lbs: null, max_weight_lbs: null, countries: [], hazardous: null },
  ...{ account_id: null, carrier: null, service: null, within_days: null, ...fields },
});
const facts = { ship_method: "Ground", weight_lbs: "2.0000", country: "US", hazardous: false };

describe("the service of a parcel", () => {
  const slow = rate("Slow", 500, { days: 6 });
  const usual = rate("Usual", 700, { days: 3 });
  const quick = rate("Quick", 1900, { days: 1, carrier: "UPS", account_id: 2 });
  const unknown = rate("Unknown", 400, { days: null });
  const all = [quick, slow, usual, unknown];
  const chosen = (rules: Rule[], of: Partial<typeof facts> = {}, rates = all) => {
    const choice = chooseRate(rates, { ...facts, ...of }, rules);
    return choice && [choice.rate.service, choice.reason];
  };

  it("is the cheapest without a rule, the faster of two at one price", () => {
    assert.deepEqual(chosen([]), ["Unknown", "The cheapest, as no rule has one"]);
    assert.deepEqual(chosen([], {}, [slow, rate("Faster", 500, { days: 2 })])?.[0], "Faster");
    assert.equal(chosen([], {}, []), undefined);
  });

  const cases: [string, Partial<Rule>, Partial<typeof facts>, string | undefined][] = [
    ["arrives in time", { within_days: 4 }, {}, "Usual"],
    ["is the carrier's", { carrier: "ups" }, {}, "Quick"],
    ["is the account's", { account_id: 2 }, {}, "Quick"],
    ["is named", { service: "SLOW" }, {}, "Slow"],
    ["is for the ship method", { ship_method: "ground", service: "Quick" }, {}, "Quick"],
    ["is for another ship method", { ship_method: "Air", service: "Quick" }, {}, undefined],
    ["is for orders with a ship method", { ship_method: "Air" }, { ship_method: null } as never, undefined],
    ["is for this weight", { min_weight_lbs: "2", max_weight_lbs: "3", service: "Quick" }, {}, "Quick"],
    ["is for lighter ones", { max_weight_lbs: "2.0000", service: "Quick" }, {}, undefined],
    ["is for heavier ones", { min_weight_lbs: "2.0001", service: "Quick" }, {}, undefined],
    ["is for the country", { countries: ["CA", "US"], service: "Quick" }, {}, "Quick"],
    ["is for other countries", { countries: ["CA"], service: "Quick" }, {}, undefined],
    ["is for dangerous goods", { hazardous: true, service: "Quick" }, { hazardous: true }, "Quick"],
    ["is for dangerous goods alone", { hazardous: true, service: "Quick" }, {}, undefined],
    ["is for all but dangerous goods", { hazardous: false, service: "Quick" }, { hazardous: true }, undefined],
    ["finds no service", { service: "Balloon" }, {}, undefined],
  ];
  for (const [what, fields, of, service] of cases)
    it(`follows the first rule that ${what}`, () => {
      const found = chosen([rule("First", fields), rule("Second", { service: "Slow" })], of);
      assert.deepEqual(found?.[0], service ?? "Slow");
      assert.match(`${found?.[1]}`, service ? /^Rule First: / : /^Rule Second: /);
    });

  it("says why", () => {
    assert.deepEqual(
      chosen([rule("Soon", { carrier: "UPS", within_days: 1 })])?.[1],
      "Rule Soon: the cheapest UPS within 1 day",
    );
  });

  it("is what somebody asked for, or none", () => {
    const asked = (wanted: object) => chooseRate(all, facts, [rule("All")], wanted)?.rate.service;
    assert.equal(asked({ service: "quick" }), "Quick");
    assert.equal(asked({ carrier: "USPS" }), "Unknown");
    assert.equal(asked({ account_id: 2, service: "Slow" }), undefined);
  });

  it("is never dearer than another one that the same rule takes", () => {
    const rates = fc.array(
      fc.record({ service: fc.constantFrom("A", "B", "C"), cost: fc.nat(5_000), days: fc.option(fc.nat(9)) }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(rates, fc.option(fc.integer({ min: 1, max: 9 })), (drawn, within_days) => {
        const offered = drawn.map(({ service, cost, days }) => rate(service, cost, { days }));
        const choice = chooseRate(offered, facts, [rule("Drawn", { within_days })]);
        const taken = offered.filter(({ days }) => within_days === null || (days !== null && days <= within_days));
        const among = taken.length > 0 ? taken : offered;
        assert.ok(choice && among.includes(choice.rate));
        assert.ok(among.every(({ cost_minor }) => cost_minor >= choice.rate.cost_minor));
      }),
    );
  });
});

describe("amounts that carriers take", () => {
  it("are exact: money in the smallest unit, weights rounded up", () => {
    assert.deepEqual(
      [minorUnits("7.58", "USD"), minorUnits("0.29", "EUR"), minorUnits("1200", "JPY"), minorUnits("1.2345", "KWD")],
      [758, 29, 1200, 1235],
    );
    assert.deepEqual([ounces("0.0625"), ounces("0.0626"), kilograms("2.2046")], ["1.0", "1.1", "1.000"]);
  });
});
