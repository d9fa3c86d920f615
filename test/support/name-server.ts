import { createSocket } from "node:dgram";
import { once } from "node:events";

/** IPv4 addresses; none: there is no such name; undefined: no answer at all. */
type Lookup = (name: string) => string[] | undefined;

export interface NameServer {
  /** As resolvers take it: address and port. */
  address: string;
  /** Names that were asked for, in order. */
  asked: string[];
  close(): void;
}

/** A name server of a test: tells IPv4 addresses, and that there are no IPv6 ones. */
export async function openNameServer(answer: Lookup): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, end } = nameIn(query);
    const question = query.subarray(12, end);
    const wantsV4 = query.readUInt16BE(end - 4) === 1;
    if (wantsV4) asked.push(name);
    const addresses = wantsV4 ? answer(name) : answer(name) && [];
    if (!addresses) return;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    const unknown = wantsV4 && addresses.length === 0;
    header.writeUInt16BE(unknown ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map(recordOf);
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

/** The name that is asked for, and where its question ends. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] as number; length > 0; ) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
    length = query[at] as number;
  }
  return { name: labels.join("."), end: at + 5 };
}

/** An address of the name in the question, to be forgotten at once. */
const recordOf = (address: string) =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]);
