import { api } from "./api.js";

/** Spreadsheets take a CSV file without it for one of their country's own encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/** Saves the answer to a GET as a file, under the name that the service gives it. */
export async function save(accept: string, path: string, otherwise: string): Promise<void> {
  const response = await api.getAs(accept, path);
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const content = await response.blob();
  saveBlob(accept === "text/csv" ? new Blob([BYTE_ORDER_MARK, content]) : content, named ?? otherwise);
}

/** Saves a file that came within an answer. */
export function saveBase64(base64: string, name: string): void {
  saveBlob(new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))]), name);
}

function saveBlob(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
