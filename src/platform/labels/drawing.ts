import type { Sheet } from "./sheet.js";

/** Creates an empty sheet of the requested size. */
export type NewSheet = () => Sheet;

/**
 * Draws data of one kind on sheets, one after the other. It runs in a thread, which finds it by its module and export
 * name; so such a module imports nothing of the database.
 */
export interface Drawing<D> {
  module: string;
  name: string;
  draw: (data: D, newSheet: NewSheet) => Iterable<Sheet>;
}

export const drawing = <D>(module: string, name: string, draw: Drawing<D>["draw"]): Drawing<D> => ({
  ...{ module, name, draw },
});
