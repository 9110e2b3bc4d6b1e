import fc from 'fast-check'

/**
 * Where random tests begin. The same in each run, so that a run that fails fails again and a change is not refused for
 * what it did not touch; `TEST_SEED=2 npm test` looks elsewhere, `TEST_SEED=random` somewhere new.
 */
const asked = process.env.TEST_SEED ?? '20261121'

/** Mutation tests ask one thing only, thousands of times: does anything fail? No smallest example, and a second for each law. */
const hurried = process.env.MUTATE_TESTS ? { endOnFailure: true, interruptAfterTimeLimit: 1000 } : {}

fc.configureGlobal({ ...(asked === 'random' ? {} : { seed: Number(asked) }), ...hurried })
