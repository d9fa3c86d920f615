import { openProblem, problem } from "../platform/problem.js";

export const ApprovalNotFound = problem("agent_approval_not_found", 404, "Approval not found");
export const ApprovalDecided = openProblem(
  "agent_approval_decided",
  409,
  "Approval {approval_id} is {status}: there is nothing left to decide",
);
export const OwnApproval = problem(
  "own_agent_approval",
  403,
  "Whoever an agent works for does not approve what it asks for: somebody else does",
);
export const MayNotApprove = openProblem(
  "may_not_approve",
  403,
  "Only who may call {operation} for this request approves it",
);

/** Refusals of tool calls; they are told to the agent, in the result of its call. */
export const ToolNotFound = problem("tool_not_found", 404, "There is no tool {name}: find_operations finds them");
export const ArgumentsInvalid = problem("arguments_invalid", 400, "{what}");
export const NotForAgents = problem("not_for_agents", 403, "Agents may not call {operation}: a person does");
export const AgentWritesOff = problem("agent_writes_off", 403, "Agents may only read here: setting agent_writes");
export const AnswerTooLarge = problem(
  "answer_too_large",
  400,
  "The answer has {kb} KB, more than {most}: ask for less, such as a smaller page or a filter",
);
