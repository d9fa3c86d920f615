import type { Connector } from "../../src/connectors/connector.js";
import { UnknownConnector } from "../../src/connectors/problems.js";
import { warehouseExists } from "../../src/connectors/queries.js";
import { installed } from "../../src/connectors/registry.js";
import { WarehouseNotFound } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { WarehouseDenied } from "../../src/platform/problem.js";

/** The refusals of every request that names a connector and a warehouse. */
export const connectorProblems = [UnknownConnector, WarehouseDenied, WarehouseNotFound];

/** The connector that a request names, for a warehouse that exists and that the caller may use. */
export async function namedConnector(name: string, warehouseId: number, by: Actor): Promise<Connector> {
  const connector = installed(name);
  checkWarehouse(by, warehouseId);
  if (!(await warehouseExists(warehouseId))) throw WarehouseNotFound();
  return connector;
}
