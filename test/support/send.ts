import { Agent, type OutgoingHttpHeaders, request } from "node:http";
import { patient } from "./machine-speed.js";

export interface Message {
  method: string;
  /** As it is to stand in the request line. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
}

export interface Answered {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const SOON_MS = patient(30_000);

/**
 * Sends what `fetch` would not: a GET with a body, a header twice, a path that is none. An answer that does not come is
 * an error.
 */
export const send = (url: string, message: Message): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { body = "", headers, ...line } = message;
    const sent = request(url, {
      ...{ agent, ...line, timeout: SOON_MS },
      headers: { ...(body !== "" && { "content-length": Buffer.byteLength(body) }), ...headers },
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.on("error", reject);
    sent.on("response", async (answer) => {
      let text = "";
      for await (const part of answer.setEncoding("utf8")) text += part;
      const status = answer.statusCode as number;
      resolve({ status, headers: answer.headers, body: text });
    });
    sent.end(body);
  });
