declare module "gs1-barcode-parser-mod" {
  /** Throws a string where the elements cannot be parsed. */
  export function parseBarcode(text: string): { parsedCodeItems: { ai: string; raw: string; isoDate: string }[] };
}
