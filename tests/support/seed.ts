import fc from 'fast-check'

/**
 * Where random tests begin. The same in each run, so that a run that fails fails again and a change is not refused for
 * what it did not touch; `TEST_SEED=2 npm test` looks elsewhere, `TEST_SEED=random` somewhere new.
 */
const asked = process.env.TEST_SEED ?? '20261121'

if (asked !== 'random') fc.configureGlobal({ seed: Number(asked) })
