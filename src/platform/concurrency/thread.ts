import type { ThreadWork } from "./in-thread.js";

/** What a thread does (in-thread.ts). */
export default async function work({ module, name, data }: ThreadWork): Promise<unknown> {
  const { [name]: run } = await import(module);
  return run(data);
}
