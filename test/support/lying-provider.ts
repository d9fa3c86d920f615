import { createServer } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { close, portOf } from "../../api/http/server.js";
import { CLIENT, listenAnywhere } from "./identity-provider.js";

/** How a token is signed; by default as it should be. */
export type Sign = (claims: JWTPayload) => Promise<string>;

/** A provider that says of people whatever a test wants it to say. */
export async function openLyingProvider() {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const key = { ...(await exportJWK(publicKey)), kid: "one", use: "sig", alg: "RS256" };
  let idToken = "";
  const server = await listenAnywhere(
    createServer((req, res) => {
      const answers: Record<string, object> = {
        "/.well-known/openid-configuration": {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
        },
        "/jwks": { keys: [key] },
        "/token": { access_token: "anything", token_type: "Bearer", id_token: idToken },
      };
      const answer = answers[req.url ?? ""];
      res.writeHead(answer ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(answer));
    }),
  );
  const issuer = `http://127.0.0.1:${portOf(server)}`;
  const sign: Sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(privateKey);
  const now = () => Math.floor(Date.now() / 1000);
  return {
    ...{ issuer, key, sign, now },
    /** What it says of somebody, as it should be said; `undefined` takes a claim away. */
    says: (claims: JWTPayload): JWTPayload => ({
      ...{ iss: issuer, aud: CLIENT.client_id, iat: now(), exp: now() + 300 },
      ...claims,
    }),
    /** Answers every code with this. */
    answer(token: string): void {
      idToken = token;
    },
    close: () => close(server),
  };
}
export type LyingProvider = Awaited<ReturnType<typeof openLyingProvider>>;
