import { SourceError } from "../connector.js";
import { FileChanged } from "./file.js";

/** How often reading begins again because the file changed while it was read. */
const RESTARTS = 3;

/** Reads at a position; if the file has changed since, from its beginning. */
export async function restarting<P extends { restarts: number }, T>(
  url: string,
  position: P,
  beginning: (restarts: number) => P,
  read: (position: P) => Promise<T>,
): Promise<T> {
  for (let at = position; ; at = beginning(at.restarts + 1))
    try {
      return await read(at);
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error;
      if (at.restarts === RESTARTS)
        throw new SourceError(`${url} changed whenever it was read: write another file, and rename it when it is done`);
    }
}
