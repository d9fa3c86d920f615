import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, parse as parsePath } from "node:path";
import type { z } from "zod";
import { type Resource, resources } from "../auth/tokens/scope.js";
import { faultsOf } from "./document-faults.js";
import { dataOf } from "./document-text.js";
import { MappingSchema, type ResourceDeclaration } from "./schema.js";

/** How one resource of a source system is mapped. */
export interface ResourceMapping extends z.output<typeof ResourceDeclaration> {
  resource: Resource;
  /** The source system of lookups that name none. */
  source_system: string;
  /** Whether blank texts count as missing, in fields that do not say. */
  empty_as_null: boolean;
}

/** A loaded mapping document. */
export interface MappingDocument extends Omit<z.output<typeof MappingSchema>, "resources"> {
  resources: Partial<Record<Resource, ResourceMapping>>;
  path: string;
  sha256: string;
  /** The compiled form: plain data, which can be passed to a thread. */
  raw: unknown;
}

/** All faults of the mapping documents, a line each. */
export class MappingError extends Error {
  override name = "MappingError";
  constructor(faults: string[]) {
    super(
      [
        `The mapping documents have ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:`,
        ...faults.map((fault) => `  ${fault}`),
        "See docs/mappings.md.",
      ].join("\n"),
    );
  }
}

const SUFFIXES = [".yaml", ".yml", ".json"];

/** Reads all documents of the folder, by source system. Throws one MappingError for all their faults. */
export async function loadDocuments(folder: string): Promise<Map<string, MappingDocument>> {
  const documents = new Map<string, MappingDocument>();
  const faults: string[] = [];
  for (const name of await namesIn(folder)) {
    const read = await readDocument(join(folder, name));
    if (Array.isArray(read)) faults.push(...read);
    else if (documents.has(read.source_system)) faults.push(`${name}: a second document of ${read.source_system}`);
    else documents.set(read.source_system, read);
  }
  if (faults.length > 0) throw new MappingError(faults);
  return documents;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => SUFFIXES.includes(parsePath(name).ext)).sort();
  } catch (error) {
    throw new MappingError([`SERVICE_INBOUND_MAPPINGS_DIR: ${(error as Error).message}`]);
  }
}

/** The document in a file, or its faults. */
async function readDocument(path: string): Promise<MappingDocument | string[]> {
  const { base, ext } = parsePath(path);
  try {
    const content = await readFile(path);
    const sha256 = createHash("sha256").update(content).digest("hex");
    return compileDocument(dataOf(content, ext === ".json"), { path, sha256 });
  } catch (error) {
    return [`${base}: cannot be read: ${(error as Error).message}`];
  }
}

/** The document of a source system from a text, YAML or JSON; or its faults. */
export function readDraft(source_system: string, text: string): MappingDocument | string[] {
  const path = `${source_system}.yaml`;
  try {
    return compileDocument(dataOf(Buffer.from(text), false), { path, sha256: "" });
  } catch (error) {
    return [`${path}: cannot be read: ${(error as Error).message}`];
  }
}

/** The compiled document, or its faults. */
export function compileDocument(raw: unknown, file: { path: string; sha256: string }): MappingDocument | string[] {
  const { base, name, ext } = parsePath(file.path);
  const parsed = MappingSchema.safeParse(raw, { reportInput: true });
  const faults = faultsOf(raw, parsed.error?.issues ?? []);
  const system = parsed.data?.source_system;
  if (system !== undefined && system !== name)
    faults.push(`source_system: ${system} has to stand in a file named ${system}${ext}`);
  if (!parsed.success || faults.length > 0) return faults.map((fault) => `${base}, ${fault}`);
  return { ...parsed.data, resources: withNames(parsed.data), ...file, raw };
}

/** The resources of a document, each with its name and its source system. */
function withNames({
  source_system,
  empty_as_null,
  resources: declared,
}: z.output<typeof MappingSchema>): MappingDocument["resources"] {
  const mappings: MappingDocument["resources"] = {};
  for (const resource of resources) {
    const declaration = declared[resource];
    if (declaration) mappings[resource] = { ...declaration, resource, source_system, empty_as_null };
  }
  return mappings;
}

/**
 * Checks the documents against the allowlist of source systems: a document of any other system is a fault
 * (docs/interface.md, Inbound). Returns the allowed systems without a document. These are no fault, because systems can
 * be added at any time, while documents are only loaded at the start.
 */
export function checkAgainst(allowlist: string[], documents: ReadonlyMap<string, MappingDocument>): string[] {
  const faults = [...documents.values()]
    .filter(({ source_system }) => !allowlist.includes(source_system))
    .map(
      ({ source_system, path }) =>
        `${path}: ${source_system} is not on the list of source systems; add it to SERVICE_SOURCE_SYSTEMS`,
    );
  if (faults.length > 0) throw new MappingError(faults);
  return allowlist.filter((system) => !documents.has(system));
}

let loaded: ReadonlyMap<string, MappingDocument> = new Map();

/** Replaces the documents of this process. */
export function useDocuments(documents: ReadonlyMap<string, MappingDocument>): void {
  loaded = documents;
}

/** The document of a source system, if one is loaded. */
export const documentOf = (sourceSystem: string): MappingDocument | undefined => loaded.get(sourceSystem);
