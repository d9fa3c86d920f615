import { DomainError, problem } from "../../platform/problem.js";

/** What a person is told who follows the link of a program. */
export const AgentUnknown = problem("agent_unknown", 400, "No program is registered under this client_id");
/** The address that is its `client_id` says nothing of it that can be used; `reason` says why, as far as it is told. */
export const AgentUnreadable = problem(
  "agent_unreadable",
  400,
  "The program's metadata at its client_id cannot be used",
);
export const RedirectNotRegistered = problem(
  "redirect_not_registered",
  400,
  "The program has not registered this redirect_uri",
);
export const ResourceNotOurs = problem("resource_not_ours", 400, "The resource is not the one of this service");
export const ScopeUnknown = problem("scope_unknown", 400, "A scope is unknown: {scope}");

/** The audience of a program's token is the endpoint for agents, where the rules for agents hold. */
export const OnlyForAgents = problem("only_for_agents", 403, "This token is for /mcp alone");

/** A refusal as OAuth words it for programs (RFC 6749, 5.2; RFC 7591, 3.2.2). */
export const oauthError = (error: string, error_description: string, status = 400): DomainError =>
  new DomainError(OAUTH_REFUSED, status, { error, error_description });
export const OAUTH_REFUSED = "oauth_refused";
