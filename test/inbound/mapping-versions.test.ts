import assert from "node:assert/strict";
import { isStale, type VersionCompare } from "../../src/inbound/versions.js";

/** Each older than the next. */
const rising: Record<VersionCompare, string[]> = {
  integer: ["-2", "0", "9", "10", "+11", "123456789012345678901234567890", "123456789012345678901234567891"],
  lexicographic: ["", "1", "10", "9", "A", "a", "é", "\uffee", "😀"],
  iso_timestamp: [
    "2026-02-28",
    "2026-02-28T00:00:00.000000001Z",
    "2026-02-28T00:30Z",
    "2026-02-28 00:45:00",
    "2026-02-28T00:00:00-01",
    "2026-03-01T00:00:00Z",
    "2026-03-01T00:00:00.5+00:00",
    "2026-03-01T00:00:00.50001Z",
    "2026-03-01T02:30:00+0200",
  ],
};

describe("versions of a record", () => {
  for (const [compare, versions] of Object.entries(rising) as [VersionCompare, string[]][])
    it(`are compared as ${compare}`, () => {
      for (const [i, older] of versions.entries())
        for (const [j, newer] of versions.entries())
          assert.equal(isStale(compare, older, newer), i < j, `${older} before ${newer}`);
    });

  it("at the same moment are not older, wherever the clock stands", () => {
    const same = [
      "2026-03-01T00:00:00Z",
      "2026-03-01T02:00:00+02:00",
      "2026-02-28T19:00:00.000-05:00",
      "2026-03-01 00:00",
    ];
    for (const a of same) for (const b of same) assert.equal(isStale("iso_timestamp", a, b), false);
  });

  it("that cannot be read are compared as text", () => {
    assert.equal(isStale("integer", "v10", "v9"), true);
    assert.equal(isStale("integer", "10", "v9"), true);
    assert.equal(isStale("integer", "1.5", "1.50"), true);
    assert.equal(isStale("iso_timestamp", "2026-02-30", "2026-03-01"), true);
    assert.equal(isStale("iso_timestamp", "2026-02-30", "2026-02-28"), false);
    assert.equal(isStale("iso_timestamp", "tomorrow", "2026-02-28"), false);
    assert.equal(isStale("iso_timestamp", "", "x"), true);
  });
});
