import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";

const archives = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../../bin");
const unpacked = join(archives, "unpacked");

/** Nothing but the page itself may go out to a network. */
const always = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

/**
 * A headless Chromium out of the npm package: it comes with the libraries and the font that a bare system lacks, so
 * libc is all it needs. The package is for Linux on x64; elsewhere an installed Chrome serves.
 * @param options Of its command line.
 */
export function openBrowser(options: string[] = []): Promise<Browser> {
  const args = [...always, ...options];
  if (process.platform !== "linux" || process.arch !== "x64") return chromium.launch({ channel: "chrome", args });
  if (!existsSync(unpacked)) unpack();
  return chromium.launch({
    executablePath: join(unpacked, "chromium"),
    args,
    env: { ...process.env, LD_LIBRARY_PATH: join(unpacked, "lib"), FONTCONFIG_PATH: unpacked },
  });
}

/** Unpacks once, beside the archives (so that another version starts anew); the rename makes it appear as a whole. */
function unpack(): void {
  const folder = mkdtempSync(`${unpacked}-`);
  const open = (archive: string) => brotliDecompressSync(readFileSync(join(archives, archive)));
  writeFileSync(join(folder, "chromium"), open("chromium.br"), { mode: 0o755 });
  for (const archive of ["al2023.tar.br", "fonts.tar.br"]) {
    execFileSync("tar", ["-x", "-C", folder], { input: open(archive) });
  }
  writeFileSync(
    join(folder, "fonts.conf"),
    `<fontconfig><dir>${unpacked}/fonts</dir><cachedir>${unpacked}/font-cache</cachedir></fontconfig>`,
  );
  try {
    renameSync(folder, unpacked);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(unpacked)) throw error;
  }
}
