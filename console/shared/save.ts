import { api } from "./api.js";

/** Spreadsheets take a CSV file without it for one of their country's own encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/** Saves the answer to a GET as a file, under the name that the service gives it. */
export async function save(accept: string, path: string, otherwise: string): Promise<void> {
  const response = await api.getAs(accept, path);
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const link = document.createElement("a");
  const content = await response.blob();
  link.href = URL.createObjectURL(accept === "text/csv" ? new Blob([BYTE_ORDER_MARK, content]) : content);
  link.download = named ?? otherwise;
  link.click();
  URL.revokeObjectURL(link.href);
}
