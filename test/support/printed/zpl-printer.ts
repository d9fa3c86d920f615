import { ready } from "zpl-renderer-js";
import { readZpl } from "./zpl.js";

/** In dots, as everything in ZPL, whatever the printer's resolution. */
const DOTS_OF_MM = 8;

/** Pictures of the labels as a printer of others prints them. It knows neither EAN-8 nor UPC-A. */
export async function printZpl(text: string): Promise<Buffer[]> {
  const { api } = await ready;
  const [{ width, height } = { width: 0, height: 0 }] = readZpl(text);
  const pictures = await api.zplToBase64MultipleAsync(text, width / DOTS_OF_MM, height / DOTS_OF_MM, DOTS_OF_MM);
  return pictures.map((picture) => Buffer.from(picture, "base64"));
}
