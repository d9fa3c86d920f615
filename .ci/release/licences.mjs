import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Under these a package may be shipped with the service. Another one is for a person to decide. */
const allowed = new Set([
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CC-BY-4.0", "ISC", "MIT"],
  ...["Python-2.0", "Unlicense", "Bitstream-Vera"],
]);

/** What packages that name no licence in a way that programs read say in their LICENSE. Somebody read these. */
const read = {
  "dejavu-fonts-ttf": "Bitstream-Vera",
  "png-js": "MIT",
  unionfs: "Unlicense",
};

/** Packages of which only what was built out of them is shipped, in `dist/console` and `dist/docs`. */
const SOURCES = ["console", "site"];

const nameIn = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** The place of a package as another one finds it: beside it, or further up. */
function placeOf(name, from, packages) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const place = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (packages[place]) return place;
    if (!at) return undefined;
  }
}

/** What the pages import, and all that it needs. More than is in the bundle, never less. */
function bundled(root, packages) {
  const imported = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|css)$/.test(name) && !name.endsWith("vite.config.ts"))
      .flatMap((name) => [
        ...readFileSync(join(root, folder, name), "utf8").matchAll(/(?:from|import\(?|resolve\() ?"([^."][^"]*)"/g),
      ])
      .map(([, path]) =>
        path
          .split("/")
          .slice(0, path.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
  );
  const found = new Set();
  const waiting = imported.map((name) => placeOf(name, "", packages)).filter(Boolean);
  for (const place of waiting) {
    if (found.has(place)) continue;
    found.add(place);
    const { dependencies = {}, peerDependencies = {} } = packages[place];
    const needed = Object.keys({ ...dependencies, ...peerDependencies });
    waiting.push(...needed.map((name) => placeOf(name, place, packages)).filter(Boolean));
  }
  return found;
}

/** Whether an expression such as `(MIT OR CC0-1.0)` or `Apache-2.0 AND MIT` leaves a way that is allowed. */
const isAllowed = (expression) =>
  expression
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((way) => way.split(" AND ").every((licence) => allowed.has(licence)));

function textOf(folder) {
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter(
    (name) => /^(licen[cs]e|copying|notice)/i.test(name) && !/\.(js|ts|json)$/.test(name),
  );
  const texts = names.toSorted().map((name) => readFileSync(join(folder, name), "utf8").trim());
  return texts.length > 0 ? texts.join("\n\n") : undefined;
}

/**
 * The licences of all packages that are shipped, as one text. Packages for other systems than this one are not
 * installed here; they are named with their licence, of which the package for this system has the text.
 */
export function licences(root) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const inBundles = bundled(root, packages);
  const shipped = Object.entries(packages)
    .filter(([place, { dev, link }]) => place && !link && (!dev || inBundles.has(place)))
    .map(([place, { version, license }]) => {
      const name = nameIn(place);
      return { name, version, licence: read[name] ?? license ?? "none", text: textOf(join(root, place)) };
    })
    .toSorted((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, "en"));
  const unknown = shipped.filter(({ licence }) => !isAllowed(licence));
  if (unknown.length > 0)
    throw new Error(
      `Licences that nobody has looked at yet (.ci/release/licences.mjs): ${unknown
        .map(({ name, version, licence }) => `${name} ${version} (${licence})`)
        .join(", ")}`,
    );
  const seen = new Set();
  return shipped
    .map(({ name, version, licence, text }) => ({ head: `${name} ${version}\n${licence}`, text: text ?? "" }))
    .filter(({ head }) => !seen.has(head) && seen.add(head))
    .map(({ head, text }) => `${"=".repeat(80)}\n${head}\n\n${text}`.trimEnd())
    .join("\n\n")
    .concat("\n");
}
