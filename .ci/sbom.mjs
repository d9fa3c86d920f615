// Prints a bill of materials (CycloneDX) of what is installed beside the service. `npm sbom --omit dev` leaves out what
// development packages need as well, so everything is asked for, and what is for development alone is taken out.
import { execFileSync } from "node:child_process";

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
console.log(JSON.stringify(bill, null, 2));
