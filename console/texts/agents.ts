import { catalogue } from "./catalogue.js";

/** What agents ask for, and people approve. */
export const t = catalogue({
  agent: ["Agent", "Agent"],
  answer: ["Answer", "Antwort"],
  answerStatus: ["Status of the answer", "Status der Antwort"],
  approvals: ["What agents ask for", "Wünsche von Agenten"],
  approvalOf: ["{operation}, asked for by {agent}", "{operation}, gewünscht von {agent}"],
  approveTitle: ["Approve {operation} of {agent}?", "{operation} von {agent} freigeben?"],
  askedAt: ["Asked", "Gewünscht"],
  askedBy: ["Works for", "Arbeitet für"],
  decidedAt: ["Decided", "Entschieden"],
  decidedBy: ["Decided by", "Entschieden von"],
  does: ["What it does", "Was es tut"],
  expires: ["Waits until", "Wartet bis"],
  key: ["Idempotency key", "Idempotenzschlüssel"],
  operation: ["Operation", "Vorgang"],
  rejectTitle: ["Reject {operation} of {agent}?", "{operation} von {agent} ablehnen?"],
  request: ["What it is called with", "Womit es aufgerufen wird"],
  withdraw: ["Withdraw", "Zurückziehen"],
  withdrawTitle: ["Withdraw {operation} of {agent}?", "{operation} von {agent} zurückziehen?"],
});
