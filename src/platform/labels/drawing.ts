import type { Sheet } from "./sheet.js";

/** Makes an empty sheet of the size that is asked for. */
export type NewSheet = () => Sheet;

/**
 * What puts data of one kind on sheets, one after the other. It is drawn in a thread, which finds it by its module and
 * the name under which that exports it; so such a module imports nothing of the database.
 */
export interface Drawing<D> {
  module: string;
  name: string;
  draw: (data: D, newSheet: NewSheet) => Iterable<Sheet>;
}

export const drawing = <D>(module: string, name: string, draw: Drawing<D>["draw"]): Drawing<D> => ({
  ...{ module, name, draw },
});
