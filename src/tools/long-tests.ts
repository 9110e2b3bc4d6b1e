/**
 * The tag of tests that only `npm run test:all` runs: those that take long because they repeat much, kill servers or walk through a whole manual. What
 * they claim is also tested shorter, or concerns operation (CONTRIBUTING.md, "Tests").
 */
export const LONG = {
  name: 'long',
  description: 'left out by `npm test`, included in `npm run test:all`',
} as const
