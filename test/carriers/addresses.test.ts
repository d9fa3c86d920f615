import assert from "node:assert/strict";
import { postalAddress, senderAddress } from "../../src/carriers/address.js";
import { crossesCustoms } from "../../src/carriers/customs-border.js";
import { countryCode } from "../../src/platform/address/country.js";
import { addressLines } from "../../src/platform/address/lines.js";
import { postcode } from "../../src/platform/address/postcode.js";
import { stateCode } from "../../src/platform/address/state.js";

describe("addresses as carriers take them", () => {
  it("have countries as codes, from codes and names in the languages of shops", () => {
    for (const [given, code] of [
      ...[
        ["us", "US"],
        ["UK", "GB"],
        ["usa", "US"],
        ["DEU", "DE"],
        ["Germany", "DE"],
        ["Deutschland", "DE"],
      ],
      ...[
        ["united kingdom", "GB"],
        ["Österreich", "AT"],
        ["Polska", "PL"],
        ["España", "ES"],
        ["Nederland", "NL"],
      ],
      ...[
        ["United States of America", "US"],
        ["Côte d’Ivoire", "CI"],
        ["U.S.A.", undefined],
      ],
      ...[
        ["ZZ", undefined],
        ["EU", undefined],
        ["XYZ", undefined],
        ["Atlantis", undefined],
        ["", undefined],
      ],
    ] as [string, string | undefined][])
      assert.equal(countryCode(given), code, given);
  });

  it("have states as codes where their country has them, and as they are said elsewhere", () => {
    for (const [country, given, code] of [
      ...[
        ["US", "California", "CA"],
        ["US", "ca", "CA"],
        ["US", "US-CA", "CA"],
        ["US", "Armed Forces Europe", "AE"],
      ],
      ...[
        ["US", "D.C.", "DC"],
        ["US", "Bavaria", undefined],
        ["CA", "Québec", "QC"],
        ["AU", "new south wales", "NSW"],
      ],
      ...[
        ["IT", "Roma", "RM"],
        ["BR", "São Paulo", "SP"],
        ["IT", "Nowhere", "Nowhere"],
        ["DE", "Bayern", "Bayern"],
      ],
    ] as [string, string, string | undefined][])
      assert.equal(stateCode(country, given), code, `${given}, ${country}`);
  });

  it("have postcodes as their country writes them", () => {
    for (const [country, given, code] of [
      ...[
        ["US", "94107", "94107"],
        ["US", "941071234", "94107-1234"],
        ["US", "9410", undefined],
      ],
      ...[
        ["PL", "00950", "00-950"],
        ["JP", "1000001", "100-0001"],
        ["NL", "5611em", "5611EM"],
        ["DE", "D-10115", "10115"],
      ],
      ...[
        ["DE", "1011", undefined],
        ["CH", "CH-8000", "8000"],
        ["GB", "sw1a  1aa", "SW1A 1AA"],
        ["GB", "BFPO 57", "BFPO 57"],
      ],
      ...[
        ["IN", "110 001", "110001"],
        ["SE", "123 45", "123 45"],
        ["LV", "LV-1010", "LV-1010"],
        ["AR", "1425", "1425"],
      ],
      ...[
        ["AE", "no number", "NO NUMBER"],
        ["CA", "94107", undefined],
      ],
    ] as [string, string, string | undefined][])
      assert.equal(postcode(country, given), code, `${given}, ${country}`);
  });

  const EMPTY = { line2: null, state: null, postal_code: null, phone: null, email: " " };
  const BONN = { ...EMPTY, name: null, customer_name: "Mary", line1: "1 Road", city: "Bonn", country: "Germany" };

  it("take the customer's name where no other is said, and name what is missing or not understood", () => {
    const { customer_name: _, ...said } = BONN;
    assert.deepEqual(postalAddress({ ...BONN, postal_code: "D-53111" }), {
      ...{ ...said, email: null, name: "Mary", country: "DE", postal_code: "53111" },
    });
    assert.deepEqual(postalAddress({ ...BONN, customer_name: null, city: " " }), [
      { field: "shipping_address_name", message: "It is missing" },
      { field: "shipping_address_city", message: "It is missing" },
      { field: "shipping_address_postal_code", message: "It is missing" },
    ]);
    assert.deepEqual(postalAddress({ ...BONN, country: "US", state: "Bavaria", postal_code: "5311" }), [
      { field: "shipping_address_state", message: "Bavaria is not a state of US" },
      { field: "shipping_address_postal_code", message: "5311 is not a postcode of US" },
    ]);
    assert.deepEqual(postalAddress({ ...BONN, country: "Ireland", state: "Kerry" }), {
      ...{ ...said, email: null, name: "Mary", country: "IE", state: "Kerry" },
    });
  });

  it("are sent as carriers take them for the sender, too, or as they were written", () => {
    const from = {
      ...{ name: "Acme", line1: "Hafen 4", line2: null, city: "Hamburg", state: null, postal_code: "D-20457" },
      ...{ country: "Germany", phone: null, email: null },
    };
    const { postal_code, country } = senderAddress(from);
    assert.deepEqual([postal_code, country], ["20457", "DE"]);
    const unknown = { ...from, postal_code: "somewhere" };
    assert.deepEqual(senderAddress(unknown), unknown);
  });

  it("are printed in the order of their country, and none of them is left out", () => {
    const of = (country: string | null, fields: object = {}) =>
      addressLines({
        ...{ name: "Ada", line1: "Road 1", line2: null, city: "Town", state: null, postal_code: "12345", country },
        ...fields,
      });
    assert.deepEqual(of("Deutschland", { line2: "Hof" }), ["Ada", "Road 1", "Hof", "12345 Town", "Deutschland"]);
    assert.deepEqual(of("US", { state: "Illinois" }), ["Ada", "Road 1", "Town, IL 12345", "US"]);
    assert.deepEqual(of("GB", { postal_code: "N1 9GU" }), ["Ada", "Road 1", "Town", "N1 9GU", "GB"]);
    assert.deepEqual(of("CH", { postal_code: "6300" }), ["Ada", "Road 1", "6300 Town", "CH"]);
    assert.deepEqual(of("LV", { postal_code: "LV-1010" }), ["Ada", "Road 1", "Town, LV-1010", "LV"]);
    const tokyo = { name: "田中", line1: "千代田1-1", city: "千代田区", state: "東京都", postal_code: "100-0001" };
    assert.ok(of("JP", tokyo).join(" ").includes("千代田区"));
    assert.deepEqual(of("Atlantis", { state: "Deep" }), ["Ada", "Road 1", "12345 Town, Deep", "Atlantis"]);
    assert.deepEqual(of(null, { city: null, postal_code: "" }), ["Ada", "Road 1"]);
  });
});

describe("the way of a parcel", () => {
  const to = (country: string, postal_code: string | null = null, state: string | null = null) => ({
    ...{ country, postal_code, state },
  });

  it("passes customs between two areas, and to parts that are outside of them", () => {
    const berlin = to("DE", "10115");
    for (const inside of [to("DE", "80331"), to("FR", "75001"), to("MC"), to("ES", "28001")])
      assert.equal(crossesCustoms(berlin, inside), false, inside.country);
    for (const outside of [to("CH", "8001"), to("GB", "N1 9GU"), to("ES", "35001"), to("DE", "27498"), to("NO")])
      assert.equal(crossesCustoms(berlin, outside), true, `${outside.country} ${outside.postal_code}`);
    const york = to("US", "10001", "NY");
    assert.equal(crossesCustoms(york, to("US", "94107", "CA")), false);
    assert.equal(crossesCustoms(york, to("PR", "00901")), false);
    for (const far of [to("US", "09005", "AE"), to("US", "96910", "GU"), to("CA", "K1A 0B1", "ON")])
      assert.equal(crossesCustoms(york, far), true, `${far.country} ${far.state}`);
    assert.equal(crossesCustoms(to("CH"), to("LI")), false);
  });
});
