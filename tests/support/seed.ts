import fc from 'fast-check'

/**
 * The seed of random tests. The same in each run, so that a failing run fails again and a change is not rejected for
 * unrelated failures; `TEST_SEED=2 npm test` uses another one, `TEST_SEED=random` a new one.
 */
const asked = process.env.TEST_SEED ?? '20261121'

/** Mutation tests only need to know whether anything fails, thousands of times: no shrinking, and one second per property. */
const hurried = process.env.MUTATE_TESTS ? { endOnFailure: true, interruptAfterTimeLimit: 1000 } : {}

fc.configureGlobal({ ...(asked === 'random' ? {} : { seed: Number(asked) }), ...hurried })
