import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { hashPassword } from "../../src/auth/password.js";
import { db } from "./db.js";
import type { TestService } from "./service.js";

const root = new URL("../../../", import.meta.url);

/** The commands of a page, or of one of its chapters (`## …`), as somebody would paste them. */
export function commandsOf(page: string, chapter?: string): string {
  const whole = readFileSync(new URL(page, root), "utf8");
  const text = chapter === undefined ? whole : (whole.split(`## ${chapter}\n`)[1]?.split("\n## ")[0] ?? "");
  return [...text.matchAll(/```bash\n(.*?)```/gs)].map((block) => block[1]).join("");
}

/** Pastes commands into a shell in the folder of the project; gives what it says. Fails when a command does. */
export async function paste(commands: string, env: Record<string, string>): Promise<string> {
  // Where a command fails, what the commands have started would keep the output open.
  const script = `trap 'pkill -P $$ || true' EXIT\n${commands}`;
  const { stdout } = await promisify(execFile)("bash", ["-eu", "-o", "pipefail", "-c", script], {
    cwd: root,
    env: { ...process.env, ...env },
  }).catch(({ stdout, stderr }) => {
    throw new Error(`A command of the walk failed:\n${stdout}${stderr}`);
  });
  return stdout;
}

/** Pastes the README's first walk and then these pages, in one shell, against a service with a worker. */
export async function walk({ url, admin }: TestService, ...pages: string[]): Promise<string> {
  const PASSWORD = "walks-with-docs-1";
  await db.run("update users set password_hash = $2 where username = $1", [
    admin.username,
    await hashPassword(PASSWORD),
  ]);
  const commands = [commandsOf("README.md", "A first walk"), ...pages.map((page) => commandsOf(page))];
  return paste(commands.join("\n"), { PASSWORD, API: url });
}
