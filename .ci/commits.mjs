import { execFileSync } from "node:child_process";

// What CONTRIBUTING.md asks of commits, from the one on that added this file: a subject of at most 72 characters,
// without a full stop, and a reason in the body.

const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
const [first] = git("log", "--diff-filter=A", "--format=%H", "--", ".ci/commits.mjs").split("\n");
const commits = first ? git("log", "--no-merges", "--format=%h%x1f%s%x1f%b%x1e", `${first}..HEAD`).split("\x1e") : [];
const wrong = commits
  .map((commit) => commit.trim().split("\x1f"))
  .filter(([hash]) => hash)
  .filter(([, subject, body]) => subject.length > 72 || subject.endsWith(".") || body.trim() === "");
for (const [hash, subject, body] of wrong)
  console.error(
    `${hash} ${subject}: ${body.trim() === "" ? "has no body" : "its subject is too long, or ends with a stop"}`,
  );
process.exitCode = wrong.length > 0 ? 1 : 0;
