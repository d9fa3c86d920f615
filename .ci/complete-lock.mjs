// npm leaves out of package-lock.json those optional packages of other platforms that the registry at hand does not
// have, and then `npm ci` refuses its own lock. This adds them, with the checksum that the registry gives. Run it after
// every `npm install`: node .ci/complete-lock.mjs
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const systems = ["android", "darwin", "linux", "freebsd", "openharmony", "win32"];
const processors = ["arm64", "x64", "arm", "ia32", "ppc64", "s390x", "riscv64"];

const lock = JSON.parse(readFileSync(FILE, "utf8"));
const packages = Object.entries(lock.packages);
for (const [path, { optionalDependencies = {}, dev, license }] of packages) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    const top = `node_modules/${name}`;
    if (lock.packages[`${path}/${top}`] || lock.packages[top]) continue;
    const words = name.split("/").at(-1).split("-");
    const os = systems.filter((system) => words.includes(system));
    const cpu = processors.filter((processor) => words.includes(processor));
    const libc = words.some((word) => word.startsWith("musl"))
      ? ["musl"]
      : words.some((word) => word.startsWith("gnu"))
        ? ["glibc"]
        : undefined;
    const version = range.replace(/^[^\d]*/, "");
    lock.packages[top] = {
      version,
      cpu,
      ...(dev && { dev }),
      license,
      ...(libc && { libc }),
      optional: true,
      os,
    };
    console.log(`added ${name} ${version}`);
  }
}
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path || entry.integrity) continue;
  const name = path.split("node_modules/").at(-1);
  entry.integrity = execFileSync("npm", ["view", `${name}@${entry.version}`, "dist.integrity"], {
    encoding: "utf8",
  }).trim();
  if (!entry.integrity) throw new Error(`The registry has no ${name} ${entry.version}`);
}
const { "": root, ...rest } = lock.packages;
const sorted = Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, "en"));
lock.packages = { "": root, ...Object.fromEntries(sorted) };
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
