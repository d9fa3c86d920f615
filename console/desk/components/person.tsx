import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "../../shared/api.js";
import { NOTHING } from "../../shared/format.js";
import { actorText } from "../../texts/story.js";

/** Records that nobody signed in has made: by the service, a token, a connector or a source system. */
const NOBODY = /^(system|inbound)(:|$)/;

/** People are seldom called otherwise. */
const FRESH_MS = 5 * 60_000;

/**
 * What people call an account: by full name, and where two have the same, with the username as well. `name` is what the
 * service calls those that are no users, where its record says so.
 */
export function useNameOf(): (username: string | null, name?: string | null) => string {
  const { data } = useQuery({ ...reading("/api/users/names", undefined), staleTime: FRESH_MS });
  const names = data?.names ?? [];
  return (username, name = null) => {
    if (!username) return NOTHING;
    if (NOBODY.test(username)) return actorText(username, name);
    const full = names.find((one) => one.username === username)?.full_name ?? name;
    if (!full) return username;
    return names.some((one) => one.full_name === full && one.username !== username) ? `${full} (${username})` : full;
  };
}

interface PersonProps {
  /** The username, as records have it. */
  of: string;
  name?: string | null | undefined;
}

/** Who did something, where somebody did; the pointer shows the username. */
export const person = (of: string | null, name?: string | null) =>
  of && <Person key={of} of={of} name={name ?? null} />;

export function Person({ of, name = null }: PersonProps) {
  const shown = useNameOf()(of, name);
  return (
    <Text span inherit title={of}>
      {shown}
    </Text>
  );
}
