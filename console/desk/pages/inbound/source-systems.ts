import { useRead } from "../../../shared/api.js";

/** The systems that may push; undefined for whoever may not read their list, and types a name instead. */
export function useSourceSystems(): Record<string, string> | undefined {
  const { data } = useRead("/api/admin/source-systems");
  return data && Object.fromEntries(data.source_systems.map(({ source_system }) => [source_system, source_system]));
}
