import fc from "fast-check";

/**
 * The seed of everything that tests draw: the same in each run of `npm test`, so that a run fails for what changed and
 * not for what nobody drew before; another one in each `npm run test:long`. `TEST_SEED` says which.
 */
export const SEED = Number(process.env.TEST_SEED ?? 1);

fc.configureGlobal({ seed: SEED });
