import { useQueries } from "@tanstack/react-query";
import type { Answer, ReadPath } from "../../../../../client/src/index.js";
import { api } from "../../../../shared/api.js";

const EVERY_MS = 60_000;

type AnyGet = (path: string, input: object) => Promise<unknown>;

/** The same path for several records, read again every minute: no event tells when these change. */
export const useSlowReads = <P extends ReadPath>(path: P, inputs: object[]): (Answer<P> | undefined)[] =>
  useQueries({
    queries: inputs.map((input) => ({
      queryKey: [path, input],
      queryFn: () => (api.get as AnyGet)(path, input) as Promise<Answer<P>>,
      refetchInterval: EVERY_MS,
    })),
  }).map(({ data }) => data as Answer<P> | undefined);
