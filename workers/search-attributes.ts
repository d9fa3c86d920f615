import proto from "@temporalio/proto";
import type { NativeConnection } from "@temporalio/worker";
import { log } from "../src/log.js";
import { searchAttributes } from "../src/temporal/search-attributes.js";

const { IndexedValueType } = proto.temporal.api.enums.v1;

/**
 * Adds the search attributes to the namespace, where the server lets a worker do so (Temporal Cloud does not: add them
 * there by hand).
 */
export async function registerSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  const { operatorService } = connection;
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const missing = searchAttributes.filter(({ name }) => !(name in (customAttributes ?? {})));
    if (missing.length > 0) {
      await operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(
          missing.map(({ name, type }) => [name, IndexedValueType[`INDEXED_VALUE_TYPE_${type}`]]),
        ),
      });
    }
  } catch (err) {
    log.warn({ err }, "search attributes could not be registered; workflows will not be searchable by them");
  }
}
