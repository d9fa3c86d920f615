import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A device with passkeys, as WebAuthn describes it, for what no browser would do: it answers whatever it is asked. */

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString("base64url");

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** Where a page is that asks for a passkey. */
export interface Site {
  origin: string;
  rpId: string;
}

/** One passkey, which is made for a site and signs for whatever site it is asked for. */
export class SoftPasskey {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  counter = 0;

  #clientData(type: string, challenge: string, origin: string): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false });
  }

  #authenticatorData(rpId: string, flags: number, more = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, more]);
  }

  /** The public key as COSE has it: EC2, ES256, P-256, x, y. */
  #publicKey(): Buffer {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const part = (text: string) => Buffer.from(text, "base64url");
    return Buffer.concat([Buffer.from("a5010203262001215820", "hex"), part(x), Buffer.from("225820", "hex"), part(y)]);
  }

  /** Answers the options of a registration, with an attestation of the format `none`. */
  made({ challenge }: { challenge: string }, { origin, rpId }: Site) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey()]);
    const data = this.#authenticatorData(rpId, PRESENT | VERIFIED | WITH_KEY, credential);
    const attestation = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
      Buffer.from([data.length]),
      data,
    ]);
    return {
      ...{ id: base64url(this.id), rawId: base64url(this.id), type: "public-key" as const, clientExtensionResults: {} },
      response: {
        clientDataJSON: base64url(this.#clientData("webauthn.create", challenge, origin)),
        attestationObject: base64url(attestation),
        transports: ["internal"],
      },
    };
  }

  /** Answers the options of a sign-in. */
  signed({ challenge }: { challenge: string }, { origin, rpId }: Site) {
    const clientData = this.#clientData("webauthn.get", challenge, origin);
    const data = this.#authenticatorData(rpId, PRESENT | VERIFIED);
    const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey);
    return {
      ...{ id: base64url(this.id), rawId: base64url(this.id), type: "public-key" as const, clientExtensionResults: {} },
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      },
    };
  }
}
