/** How many requests a fuzz test sends: `TEST_FUZZ_REQUESTS`, or what takes a few seconds. */
export const fuzzRequests = (otherwise: number): number => Number(process.env.TEST_FUZZ_REQUESTS ?? otherwise);
