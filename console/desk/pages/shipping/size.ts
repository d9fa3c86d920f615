import { number } from "../../../shared/format.js";

interface Sized {
  length_in: number | null;
  width_in: number | null;
  height_in: number | null;
}

/** Length, width and height; null where nobody said them. */
export const sizeOf = ({ length_in, width_in, height_in }: Sized): string | null =>
  length_in === null ? null : [length_in, width_in, height_in].map(number).join(" × ");
