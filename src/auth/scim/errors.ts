import { DomainError } from "../../platform/problem.js";

/** Refusals of provisioning, in the shape of SCIM (RFC 7644, 3.12). */

const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

type ScimType = "invalidFilter" | "invalidSyntax" | "invalidPath" | "invalidValue" | "uniqueness" | "mutability";

export const scimError = (status: number, detail: string, scimType?: ScimType): DomainError =>
  new DomainError(`scim_${scimType ?? status}`, status, {
    ...{ schemas: [ERROR_SCHEMA], status: String(status), detail },
    ...(scimType && { scimType }),
  });

/** Any refusal in the shape of SCIM. */
export function asScimError(error: DomainError): DomainError {
  if ("schemas" in error.body) return error;
  const made = scimError(error.status, error.message);
  return error.retryAfter === undefined ? made : made.after(error.retryAfter);
}
