import { inThread, type ThreadCaller, WorkTooLarge } from "../platform/concurrency/in-thread.js";
import { applyMapping, type Mapped } from "./apply.js";
import type { ResourceMapping } from "./documents.js";
import { budget, tooLarge } from "./fault.js";
import type { MappingDone, MappingWork } from "./mapping-work.js";
import { MappingApplyError } from "./problems.js";

/** Steps that take some hundredths of a second, for which other requests can wait. */
const FEW_STEPS = 100_000;

/** Thrown for a payload that has to be mapped in a thread. */
export class TakesLong extends Error {
  override name = "TakesLong";
}

/** Maps a payload as `applyMapping` does, unless that would block other requests. */
export const mapSoon = (mapping: ResourceMapping, payload: unknown): Mapped =>
  applyMapping(
    mapping,
    payload,
    budget(FEW_STEPS, () => new TakesLong()),
  );

interface MappedInThread extends Pick<MappingDone, "faults" | "version_compare" | "mapping"> {
  /** Returns the values, a new copy each time, or throws the refusal; undefined where no mapping exists. */
  mapped?: () => Mapped;
}

/** Reads a document and maps a payload by it in a thread. */
export async function mapInThread(data: MappingWork, caller: ThreadCaller): Promise<MappedInThread> {
  const module = new URL("./mapping-work.js", import.meta.url).href;
  const { mapped, refused, ...found } = await inThread<MappingDone>(
    { module, name: "mapByDocument", data },
    caller,
  ).catch((error: unknown): MappingDone => {
    if (!(error instanceof WorkTooLarge)) throw error;
    if (data.draft !== undefined) return { faults: [`${data.source_system}.yaml: it takes too long to map by`] };
    return { mapping: {}, refused: tooLarge().message };
  });
  if (!found.mapping) return found;
  return {
    ...found,
    mapped: () => {
      if (!mapped) throw MappingApplyError({ message: refused ?? "" });
      return structuredClone(mapped);
    },
  };
}
