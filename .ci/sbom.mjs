// Prints a bill of materials (CycloneDX) of what is installed beside the service. `npm sbom --omit dev` leaves out what
// development packages need as well, so everything is asked for, and what is for development alone is taken out.
// With SOURCE_DATE_EPOCH, as a release has it, the same lock file gives the same bytes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const asked = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
const bill = JSON.parse(execFileSync("npm", asked, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }));
const isForDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === "cdx:npm:package:development" && value === "true");
const gone = new Set(bill.components.filter(isForDevelopment).map((component) => component["bom-ref"]));
const kept = (ref) => !gone.has(ref);
bill.components = bill.components.filter((component) => kept(component["bom-ref"]));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept(ref))
  .map((entry) => ({ ...entry, ...(entry.dependsOn && { dependsOn: entry.dependsOn.filter(kept) }) }));
// npm calls the service by its folder.
bill.metadata.component.name = JSON.parse(readFileSync("package.json", "utf8")).name;
const epoch = process.env.SOURCE_DATE_EPOCH;
if (epoch) {
  bill.metadata.timestamp = new Date(Number(epoch) * 1_000).toISOString();
  const hash = createHash("sha256").update(JSON.stringify(bill.components)).digest("hex");
  // A UUID of version 8 is one's own, here of what is in the bill.
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  bill.serialNumber = `urn:uuid:${parts.join("-")}`;
}
console.log(JSON.stringify(bill, null, 2));
