import proto from "@temporalio/proto";
import { log } from "../src/platform/log.js";
import { missingAttributes, noteMissing, type TemporalServices } from "../src/platform/temporal/missing-attributes.js";

const { IndexedValueType } = proto.temporal.api.enums.v1;

/**
 * Adds the search attributes that the namespace lacks, where the server allows it and has room for them. The others are
 * logged once: workflows work without them.
 */
export async function registerSearchAttributes(services: TemporalServices, namespace: string): Promise<void> {
  const refused: string[] = [];
  let because: unknown;
  for (const { name, type } of await missingAttributes(services, namespace)) {
    try {
      await services.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: { [name]: IndexedValueType[`INDEXED_VALUE_TYPE_${type}`] },
      });
    } catch (err) {
      refused.push(name);
      because = err;
    }
  }
  if (noteMissing(refused) && refused.length > 0)
    log.warn({ err: because, missing: refused }, "search attributes are missing; workflows cannot be searched by them");
}
