import type { Hash } from "node:crypto";

/** A step of a pipeline that lets everything through, and adds it to a hash. */
export const hashing = (hash: Hash) =>
  async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
