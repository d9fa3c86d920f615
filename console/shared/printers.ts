import type { NewPrintJob } from "../../client/src/index.js";
import { useRead } from "./api.js";

/** The printers of a warehouse, or of all, that print such a document by default. */
export function usePrintersFor(document: NewPrintJob["document"], warehouseId: number | undefined) {
  const { data } = useRead("/api/printing/printers", { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  return (data?.printers ?? []).filter(({ documents }) => documents.includes(document));
}
