import type { Resource } from "../auth/tokens/scope.js";
import { DomainError } from "../platform/problem.js";
import { applyMapping, type Mapped } from "./apply.js";
import { compileDocument, readDraft } from "./documents.js";
import { MappingApplyError } from "./problems.js";
import type { VersionCompare } from "./versions.js";

/** A payload, and the document that it is mapped by. */
export interface MappingWork {
  source_system: string;
  resource: Resource;
  payload: unknown;
  /** The text of a document that is only tried. */
  draft?: string;
  /** The data of a loaded document. */
  document?: unknown;
}

export interface MappingDone {
  /** The faults of the document; then the other fields are missing. */
  faults?: string[];
  version_compare?: VersionCompare;
  /** Undefined where the document does not map the resource. */
  mapping?: { adopt_by?: string | undefined };
  /** Undefined where the payload does not fit the mapping. */
  mapped?: Mapped;
  /** The reason. */
  refused?: string;
}

/** Compiles a document and maps a payload by it. This runs in a thread (map-payload.ts). */
export function mapByDocument({ source_system, resource, payload, draft, document }: MappingWork): MappingDone {
  const compiled =
    draft === undefined
      ? compileDocument(document, { path: `${source_system}.yaml`, sha256: "" })
      : readDraft(source_system, draft);
  if (Array.isArray(compiled)) return { faults: compiled };
  const { version_compare, resources } = compiled;
  const mapping = resources[resource];
  if (!mapping) return { version_compare };
  const found = { version_compare, mapping: { adopt_by: mapping.adopt_by } };
  try {
    return { ...found, mapped: applyMapping(mapping, payload) };
  } catch (error) {
    if (error instanceof DomainError && error.kind === MappingApplyError.kind)
      return { ...found, refused: String(error.body.message) };
    throw error;
  }
}
