import { type ParseArgsConfig, parseArgs } from "node:util";

/** Runs a command-line program with its arguments. An error is a sentence on stderr, and exit code 1. */
export async function runCommand<O extends NonNullable<ParseArgsConfig["options"]>>(
  usage: string,
  options: O,
  work: (given: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>) => Promise<void>,
): Promise<void> {
  try {
    await work(parseArgs({ options, allowPositionals: true }));
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    console.error(code?.startsWith("ERR_PARSE_ARGS") ? `${message}\n${usage}` : message);
    process.exitCode = 1;
  }
}
