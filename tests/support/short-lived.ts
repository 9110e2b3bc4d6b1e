/**
 * Flags of Node for servers and commands that tests start and end within seconds: V8 optimizes a function only after nine times as much work as
 * usual. What runs once is not worth the optimizing, which is a fifth of the processor time of a start.
 */
export const SHORT_LIVED = ['--interrupt-budget=600000'] as const
