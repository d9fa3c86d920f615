import type { z } from "zod";
import type { Inspect } from "../../api/handle.js";
import { routes } from "../../api/routes.js";
import { DomainError } from "../../src/platform/problem.js";

const seen = new Set<string>();
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/**
 * Holds every answer against the schema that its route declares, and notes which outcomes of which routes there were.
 */
export const inspect: Inspect = (route, outcome) => {
  const succeeded = (status: number) => {
    seen.add(`${nameOf(route)}: success`);
    seen.add(`${nameOf(route)}: ${status}`);
  };
  if ("answer" in outcome) {
    const schema = route.answers[outcome.status] as z.ZodType;
    schema.parse(outcome.answer);
    succeeded(outcome.status);
  } else if ("sent" in outcome) {
    succeeded(outcome.sent);
  } else if (outcome.error instanceof DomainError) {
    seen.add(`${nameOf(route)}: ${outcome.error.kind}`);
  }
};

/** Outcomes that routes declare and no test has seen. */
export function unseenOutcomes(): string[] {
  return routes
    .flatMap((route) =>
      ["success", ...Object.keys(route.answers), ...route.errors.map((error) => error.kind)].map(
        (outcome) => `${nameOf(route)}: ${outcome}`,
      ),
    )
    .filter((outcome) => !seen.has(outcome));
}
