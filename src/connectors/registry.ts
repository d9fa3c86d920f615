import { readdir } from "node:fs/promises";
import { z } from "zod";
import { log } from "../platform/log.js";
import type { Connector } from "./connector.js";
import { UnknownConnector } from "./problems.js";

/** The connectors of this process, by name. Each is a module in a folder; `loadConnectors` finds them at the start. */

const NAME = /^[a-z][a-z0-9-]{0,47}$/;
const BUILT_IN = new URL("./built-in/", import.meta.url);

const loaded = new Map<string, Connector>();

/** Why a module is no connector; undefined for a connector. */
function faultOf(exported: unknown): string | undefined {
  if (typeof exported !== "object" || exported === null) return "its default export is no connector";
  const { name, config, versions, testConnection } = exported as Partial<Connector>;
  if (typeof name !== "string" || !NAME.test(name)) return `its name is not like ${NAME.source}`;
  if (!(config instanceof z.ZodObject)) return "its config is no zod object";
  if (!versions) return "versions is missing";
  if (typeof testConnection !== "function") return "testConnection is missing";
  if (loaded.has(name) && loaded.get(name) !== exported) return `a connector ${name} exists already`;
  return undefined;
}

/**
 * Loads all modules of a folder. One that fails, or is no connector, is logged and left out; the others work
 * (docs/interface.md, Connectors).
 */
export async function loadConnectors(folder: URL = BUILT_IN): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".js")).sort();
  for (const file of files) {
    try {
      const { default: exported } = (await import(new URL(file, folder).href)) as { default: unknown };
      const fault = faultOf(exported);
      if (fault) throw new Error(fault);
      const connector = exported as Connector;
      loaded.set(connector.name, connector);
    } catch (err) {
      log.error({ err, file }, "connector not loaded");
    }
  }
}

/** All connectors, by name. */
export const connectors = (): Connector[] => [...loaded.values()].sort((a, b) => a.name.localeCompare(b.name));

export const connectorOf = (name: string): Connector | undefined => loaded.get(name);

/** The connector of a request; 404 when there is none of that name. */
export function installed(name: string): Connector {
  const connector = connectorOf(name);
  if (!connector) throw UnknownConnector({ name });
  return connector;
}

/**
 * The connector and the warehouse that a source system is of, if it is that of a connector; of a shop that it led to
 * before, `isFormer`.
 */
export function ownerOf(sourceSystem: string) {
  const [, name = "", warehouse, former] = /^(.+)-(\d+)(@\d+)?$/.exec(sourceSystem) ?? [];
  const connector = loaded.get(name);
  return connector && { connector, warehouseId: Number(warehouse), isFormer: former !== undefined };
}

/** Whether its records need no mapping document: it is that of a connector. */
export const isConnectorSystem = (sourceSystem: string): boolean => ownerOf(sourceSystem) !== undefined;
