/**
 * Flags of Node for processes that run for seconds, or use all cores anyway: test runs, and the servers and commands that tests start.
 *
 * V8 optimizes a function only after nine times as much work as usual: what runs once is not worth the optimizing. And it compiles and collects
 * garbage in the thread that needs it: helpers on other cores cost more processor time than they save. Together a fifth of a run of unit tests.
 */
export const SHORT_LIVED = ['--interrupt-budget=600000', '--single-threaded'] as const
