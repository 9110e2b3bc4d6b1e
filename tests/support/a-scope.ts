import type { Scope } from '../../runtime/core/page/scope.ts'

/** An empty scope with only the values a test needs. */
export function aScope(given: Partial<Scope> = {}): Scope {
  return { form: {}, params: {}, user: {}, dict: {}, data: {}, ...given }
}
