import type { Say } from "./say.js";

/** Where a source may look, keep, and speak. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Folder for what is downloaded, shared by all checkouts of this user. */
  cache: string;
  say: Say;
}

/** A place where the `temporal` program may come from: gives its path, or undefined when it is not there. */
export interface Source {
  name: string;
  find(around: Surroundings): Promise<string | undefined>;
}
