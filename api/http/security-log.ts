import type { Request, Response } from "express";
import {
  AgentUnknown,
  AgentUnreadable,
  OAUTH_REFUSED,
  RedirectNotRegistered,
  ResourceNotOurs,
  ScopeUnknown,
} from "../../src/auth/oauth/problems.js";
import { SsoRefused } from "../../src/auth/oidc/refused.js";
import {
  BadgeNotEnough,
  ChallengeExpired,
  InvalidBadge,
  InvalidCredentials,
  InvalidSecondFactor,
  Locked,
  LockedNow,
  LogoutTokenInvalid,
  SecondFactorRequired,
  SsoRequired,
  StepUpRequired,
  WrongCurrentPassword,
} from "../../src/auth/problems.js";
import { log } from "../../src/platform/log.js";
import { counter } from "../../src/platform/monitoring/metrics.js";
import type { DomainError } from "../../src/platform/problem.js";

const count = counter(
  "security_refusals",
  "Requests that were refused with 401, 403 or 429, or that a partner made for what is not its own",
);

/** The event names of refusals, for monitoring, where the status does not determine them. */
const events: Record<string, string> = {
  [InvalidCredentials.kind]: "login_failed",
  [InvalidBadge.kind]: "login_failed",
  [InvalidSecondFactor.kind]: "login_failed",
  [ChallengeExpired.kind]: "login_failed",
  [BadgeNotEnough.kind]: "login_failed",
  [WrongCurrentPassword.kind]: "login_failed",
  [SecondFactorRequired.kind]: "second_factor_asked",
  [StepUpRequired.kind]: "step_up_asked",
  ...Object.fromEntries(
    [AgentUnknown, AgentUnreadable, RedirectNotRegistered, ResourceNotOurs, ScopeUnknown].map(({ kind }) => [
      kind,
      "oauth_refused",
    ]),
  ),
  [OAUTH_REFUSED]: "oauth_refused",
  [SsoRefused.kind]: "login_failed",
  [SsoRequired.kind]: "login_refused",
  [LogoutTokenInvalid.kind]: "logout_refused",
  [LockedNow.kind]: "login_locked",
  [Locked.kind]: "login_refused",
};
/** A partner that asks for what is not its own hears that there is no such thing, as where there is none. */
const NOT_OF_PARTNER = "not_of_partner";
const eventsByStatus: Record<number, string> = { 401: "unauthenticated", 403: "forbidden", 429: "rate_limited" };

/** A user name in a login request can have any length. */
const MAX_NAME = 64;

/** Logs and counts refusals of authentication, authorisation and rate limits; never the credential itself. */
export function noteRefusal({ kind, status }: DomainError, req: Request, res: Response): void {
  const { username, tokenId, keyId, partnerLinkId, requestId, reason } = res.locals;
  const missed = status === 404 && partnerLinkId !== undefined ? NOT_OF_PARTNER : undefined;
  const event = events[kind] ?? eventsByStatus[status] ?? missed;
  if (!event) return;
  count({ kind, status });
  log.warn(
    {
      event,
      kind,
      status,
      reason,
      user: username?.slice(0, MAX_NAME),
      tokenId,
      keyId,
      partnerLinkId,
      ip: req.ip,
      route: `${req.method} ${req.route?.path ?? req.path}`,
      requestId,
    },
    "request refused",
  );
}
