import proto from "@temporalio/proto";
import type { NativeConnection } from "@temporalio/worker";
import { log } from "../src/log.js";

const {
  INDEXED_VALUE_TYPE_INT,
  INDEXED_VALUE_TYPE_KEYWORD,
  INDEXED_VALUE_TYPE_KEYWORD_LIST,
} = proto.temporal.api.enums.v1.IndexedValueType;

/** Name and type of `src/search-attributes.ts` as the server wants them. */
const searchAttributes = {
  WarehouseId: INDEXED_VALUE_TYPE_INT,
  BatchId: INDEXED_VALUE_TYPE_INT,
  CountId: INDEXED_VALUE_TYPE_INT,
  SoNumbers: INDEXED_VALUE_TYPE_KEYWORD_LIST,
  SubscriptionId: INDEXED_VALUE_TYPE_KEYWORD,
  EventId: INDEXED_VALUE_TYPE_KEYWORD,
};

/** Adds the search attributes to the namespace, where the server lets a worker do so (Temporal Cloud does not: add them there by hand). */
export async function registerSearchAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<void> {
  const { operatorService } = connection;
  try {
    const { customAttributes = {} } =
      await operatorService.listSearchAttributes({ namespace });
    const missing = Object.entries(searchAttributes).filter(
      ([name]) => !(name in (customAttributes ?? {})),
    );
    if (missing.length > 0) {
      await operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing),
      });
    }
  } catch (err) {
    log.warn(
      { err },
      "search attributes could not be registered; processes will not be searchable by them",
    );
  }
}
