import assert from "node:assert/strict";
import { refusePgWarnings } from "../support/pg-warnings.js";

describe("a warning of pg that its next version refuses something", () => {
  const { noDeprecation = false } = process;
  before(() => {
    // What is made up here is not printed.
    process.noDeprecation = true;
  });
  after(() => {
    process.noDeprecation = noDeprecation;
  });

  const warn = (message: string) =>
    process.emit("warning", Object.assign(new Error(message), { name: "DeprecationWarning" }));

  it("fails the test file", () => {
    const message = "Calling client.query() when the client is already executing a query will be removed in pg@9.0.";
    warn(message);
    assert.throws(refusePgWarnings, { message });
    refusePgWarnings();
  });

  it("of another package does not", () => {
    warn("The `punycode` module is deprecated.");
    refusePgWarnings();
  });
});
