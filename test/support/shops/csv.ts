import { createHash } from "node:crypto";
import { openShop, type Reply, type Shop, type ShopRequest } from "../connectors.js";

/** A web server with CSV files, as static file servers are: parts of files, ETags, and a password where it is set. */
export interface CsvDrop extends Shop {
  /** The configuration for the files that are there. */
  config(): Record<string, string>;
  /** Puts a file: a text, or its bytes. */
  put(file: "items" | "orders" | "inventory", content: string | Buffer): void;
  /** Whether it sends parts, and what it tells files apart by. */
  sends: { parts: boolean; etag: boolean; lastModified: boolean };
  /** A header that requests must have, such as authorization. */
  wants: { header: string; value: string } | undefined;
  /** Runs after each answer, such as to change a file while it is read. */
  afterAnswer: (() => void) | undefined;
  /** The bytes of each answer. */
  answers: number[];
}

const files = ["items", "orders", "inventory"] as const;

interface File {
  bytes: Buffer;
  modified: Date;
}

export async function openCsvDrop(): Promise<CsvDrop> {
  const shop = await openShop(() => ({}));
  const contents = new Map<string, File>();
  let puts = 0;
  const drop: CsvDrop = Object.assign(shop, {
    config: () =>
      Object.fromEntries(
        files.filter((file) => contents.has(`/${file}.csv`)).map((file) => [`${file}_url`, `${shop.url}/${file}.csv`]),
      ),
    put: (file: string, content: string | Buffer) => {
      const modified = new Date(Date.parse("2026-03-02T08:00:00Z") + ++puts * 1_000);
      contents.set(`/${file}.csv`, { bytes: Buffer.from(content), modified });
    },
    sends: { parts: true, etag: true, lastModified: true },
    wants: undefined,
    afterAnswer: undefined,
    answers: [],
  });
  shop.usual = (request) => {
    const file = contents.get(request.path);
    const reply = file ? answer(drop, file, request) : { status: 404, body: "Not found" };
    drop.afterAnswer?.();
    return reply;
  };
  return drop;
}

function answer({ sends, wants, answers }: CsvDrop, { bytes, modified }: File, { headers }: ShopRequest): Reply {
  if (wants && headers[wants.header] !== wants.value) return { status: 401, body: "Unauthorized" };
  const validators = {
    ...(sends.etag && { etag: `"${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}"` }),
    ...(sends.lastModified && { "last-modified": modified.toUTCString() }),
  };
  const range = sends.parts ? /^bytes=(\d+)-(\d+)$/.exec(`${headers.range ?? ""}`) : null;
  const from = Number(range?.[1] ?? 0);
  if (range && from >= bytes.length)
    return { status: 416, headers: { "content-range": `bytes */${bytes.length}` }, body: "Range Not Satisfiable" };
  const part = range ? bytes.subarray(from, Number(range[2]) + 1) : bytes;
  const content = range && { "content-range": `bytes ${from}-${from + part.length - 1}/${bytes.length}` };
  answers.push(part.length);
  return (response) =>
    void response
      .writeHead(range ? 206 : 200, { "content-type": "text/csv", "accept-ranges": "bytes", ...validators, ...content })
      .end(part);
}
