import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Resource } from "../../src/auth/tokens/scope.js";
import { canonicalTypes } from "../../src/inbound/columns.js";
import { compileDocument, loadDocuments, type ResourceMapping, useDocuments } from "../../src/inbound/documents.js";
import { patient } from "./machine-speed.js";

/** Writes files into a folder of their own, for as long as `use` runs. An object is written as JSON. */
export async function withFiles<T>(files: Record<string, unknown>, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "mappings-"));
  try {
    for (const [name, content] of Object.entries(files))
      await writeFile(
        join(folder, name),
        typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
      );
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A document of a source system, with these resources. */
export const documentWith = (resources: Record<string, unknown>, source_system = "shop") => ({
  mapping_version: "1",
  source_system,
  version_compare: "integer",
  resources,
});

/** Loads documents, by source system, and makes them this process's. */
export async function useMappings(documents: Record<string, unknown>): Promise<void> {
  const files = Object.entries(documents).map(([system, document]) => [`${system}.json`, document]);
  useDocuments(await withFiles(Object.fromEntries(files), loadDocuments));
}

/** One resource's mapping, compiled; a faulty one throws its faults. */
export function mapping(
  resource: Resource,
  { line_items, ...rest }: { fields?: unknown[]; line_items?: unknown },
): ResourceMapping {
  const declared = {
    canonical_type: canonicalTypes[resource],
    fields: rest.fields ?? [],
    ...(line_items !== undefined && { line_items }),
  };
  const raw = documentWith({ [resource]: declared });
  const compiled = compileDocument(raw, { path: "shop.json", sha256: "" });
  if (Array.isArray(compiled)) throw new Error(compiled.join("\n"));
  return compiled.resources[resource] as ResourceMapping;
}

/**
 * What something gives, for less than a second of a usual processor's time; that others use the processor too does not
 * count. What the steps of the budget do not count would show here.
 */
export function inTime<T>(run: () => T): T {
  const before = process.cpuUsage();
  try {
    return run();
  } finally {
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 1_000 < patient(1_000), `${user + system} µs`);
  }
}

/** Loads a document of a source system alone, which maps nothing. */
export const useEmptyMapping = (source_system: string) =>
  useMappings({ [source_system]: documentWith({}, source_system) });
