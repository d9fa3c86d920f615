import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** What a token server was asked for. */
interface Asked {
  authorization: string | undefined;
  form: Record<string, string>;
}

/** A partner's token endpoint in a test: it gives `token-1`, `token-2` and so on, after a moment. */
export interface TokenServer {
  url: string;
  asked: Asked[];
  /** What is answered in the place of a token. */
  instead: { status: number; body: string } | undefined;
  expires_in: number | undefined;
  close(): Promise<void>;
}

export async function openTokenServer(): Promise<TokenServer> {
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const { authorization } = request.headers;
    tokens.asked.push({ authorization, form: Object.fromEntries(new URLSearchParams(body)) });
    const { status, body: answer } = tokens.instead ?? {
      status: 200,
      body: JSON.stringify({
        ...{ access_token: `token-${tokens.asked.length}`, token_type: "Bearer" },
        expires_in: tokens.expires_in,
      }),
    };
    setTimeout(() => response.writeHead(status, { "content-type": "application/json" }).end(answer), 20);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const tokens: TokenServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    asked: [],
    instead: undefined,
    expires_in: 3_600,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return tokens;
}
