import { api } from "./api.js";

/** Saves the answer to a GET as a file, under the name that the service gives it. */
export async function save(accept: string, path: string, otherwise: string): Promise<void> {
  const response = await api.getAs(accept, path);
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = named ?? otherwise;
  link.click();
  URL.revokeObjectURL(link.href);
}
