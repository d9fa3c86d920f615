declare module "gs1-barcode-parser-mod" {
  /** Throws a text where the elements cannot be read. */
  export function parseBarcode(text: string): { parsedCodeItems: { ai: string; raw: string; isoDate: string }[] };
}
