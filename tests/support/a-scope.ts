import type { Scope } from '../../runtime/core/page/scope.ts'

/** A scope with nothing in it but what a test cares about. */
export function aScope(given: Partial<Scope> = {}): Scope {
  return { form: {}, params: {}, user: {}, dict: {}, data: {}, ...given }
}
