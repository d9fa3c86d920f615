/** What the tests use of a package that has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (req: IncomingMessage, res: ServerResponse) => void;
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object, options?: object): Promise<void>;
    Grant: {
      new (of: { clientId: string; accountId: string }): { addOIDCScope(scope: string): void; save(): Promise<string> };
      find(id: string): Promise<unknown>;
    };
  }
}
