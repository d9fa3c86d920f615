import type { PrintLine } from "./terminal.js";

/** What sources need to find the program. */
export interface SearchContext {
  env: NodeJS.ProcessEnv;
  /** The folder for downloads, which all checkouts of this user share. */
  cache: string;
  printLine: PrintLine;
}

/** Where the `temporal` program may come from; returns its path, or undefined when it is not there. */
export interface BinarySource {
  name: string;
  find(context: SearchContext): Promise<string | undefined>;
}
