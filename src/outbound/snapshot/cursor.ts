import { z } from "zod";
import { InvalidCursor } from "./problems.js";

/** The place in a scan after which a page begins. */
const Cursor = z.strictObject({
  scan_id: z.uuid(),
  after: z.int32().positive(),
});
export type Cursor = z.infer<typeof Cursor>;

/**
 * The cursor as partners get it and send it back: unpadded base64url of compact JSON, opaque to them.
 */
export const cursorText = ({ scan_id, after }: Cursor): string =>
  Buffer.from(JSON.stringify({ scan_id, after })).toString("base64url");

/** Reads exactly what `cursorText` wrote; anything else is refused. */
export function readCursor(text: string): Cursor {
  const cursor = Cursor.safeParse(jsonOf(text));
  if (!cursor.success || cursorText(cursor.data) !== text) throw InvalidCursor();
  return cursor.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
