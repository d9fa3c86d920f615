// `node src/launcher/bootstrap.mjs start|backup|restore|test|bench|simulate`: from a bare clone to a running service, a
// backup or its restoration, a test run, a table of figures or a simulated day. Plain JavaScript without dependencies,
// since it is what installs and compiles the rest.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
process.chdir(root);
const [task, ...rest] = process.argv.slice(2);
/** The standard output of a bench may be read by a program. */
const print = task === "bench" ? console.error : console.log;
const json = (path) => JSON.parse(readFileSync(path, "utf8"));

/** Runs a program and returns its exit code; signals are passed on to it. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit" });
    const pass = (signal) => child.kill(signal);
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, pass);
    child.once("error", (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.once("exit", (code, signal) => {
      for (const name of signals) process.off(name, pass);
      resolve(signal ? 130 : code);
    });
  });
}

const npm = (args) =>
  process.env.npm_execpath ? run(process.execPath, [process.env.npm_execpath, ...args]) : run("npm", args);

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}

function checkNode() {
  const wanted = json("package.json").engines.node;
  const [major, minor] = wanted.replace(">=", "").split(".").map(Number);
  const [has, hasMinor] = process.versions.node.split(".").map(Number);
  if (has > major || (has === major && hasMinor >= minor)) return;
  fail(`This needs Node ${wanted}; here runs ${process.version}. Get a newer one from https://nodejs.org.`);
}

/** The packages of the lock file that every platform needs, by folder. */
const wanted = () =>
  Object.entries(json("package-lock.json").packages).filter(([path, { optional }]) => path && !optional);

/** npm writes its list last: without it, or with other versions in it, the installation is incomplete. */
function isInstalled() {
  const list = "node_modules/.package-lock.json";
  if (!existsSync(list)) return false;
  const installed = json(list).packages;
  return wanted().every(([path, { version }]) => installed[path]?.version === version && existsSync(path));
}

async function install() {
  if (isInstalled()) return;
  const paths = wanted().map(([path]) => path);
  const installed = () => paths.filter((path) => existsSync(join(path, "package.json"))).length;
  const tty = process.stdout.isTTY;
  print(`Installing ${paths.length} packages (npm ci), once…`);
  let shown = 0;
  const timer = setInterval(() => {
    const done = installed();
    if (done - shown < (tty ? 1 : paths.length / 5)) return;
    shown = done;
    process.stdout.write(`${tty ? "\r\x1b[K" : ""}  ${done} of ${paths.length} packages${tty ? "" : "\n"}`);
  }, 300);
  // With the development packages also under NODE_ENV=production, because the compiler is one of them.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
  const code = await npm(args);
  clearInterval(timer);
  if (tty) process.stdout.write("\r\x1b[K");
  if (code !== 0) fail("npm ci failed; what it said is above. It needs the network, or a filled npm cache.", code);
}

/** Every input of the build, with its time and size. */
function sources() {
  const { include } = json("tsconfig.json");
  const folders = [...include.filter((folder) => !folder.includes("*")), "client", "console", "docs"];
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => path.includes(".") && !/^client.(dist|generated)\b/.test(path) && statSync(path).isFile())
    .filter((path) => /\.(tsx?|md)$/.test(path) || /^(console|site)\b/.test(path));
  const others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tsconfig.json", "package-lock.json"];
  return [...files, ...others].map((path) => {
    const { mtimeMs, size } = statSync(path);
    return `${path} ${mtimeMs} ${size}`;
  });
}

async function build() {
  const stamp = join("dist", ".built");
  const before = existsSync(stamp) ? readFileSync(stamp, "utf8").split("\n") : [];
  const now = sources();
  if (before.join("\n") === now.join("\n")) return;
  const names = new Set(now.map((line) => line.split(" ")[0]));
  // Otherwise the output of deleted files would remain.
  if (before.some((line) => !names.has(line.split(" ")[0]))) rmSync("dist", { recursive: true, force: true });
  print("Building…");
  const code = await npm(["run", "build", "--silent"]);
  if (code !== 0) fail("The build failed; what it said is above.", code);
  mkdirSync("dist", { recursive: true });
  writeFileSync(stamp, now.join("\n"));
}

const tasks = ["start", "backup", "restore", "test", "bench", "simulate"];
if (!tasks.includes(task)) fail(`usage: node src/launcher/bootstrap.mjs ${tasks.join("|")}`);
checkNode();
await install();
await build();
if (task === "start") await import("../../dist/src/launcher/main.js");
else if (task === "backup" || task === "restore")
  process.exitCode = await run(process.execPath, [`dist/workers/${task}.js`, ...rest]);
else if (task === "bench" || task === "simulate")
  process.exitCode = await run(process.execPath, [`dist/${task}/main.js`, ...rest]);
else
  process.exitCode = await run(
    process.execPath,
    rest.length === 0 ? ["dist/test/support/run-all.js"] : ["node_modules/mocha/bin/mocha.js", ...rest],
  );
