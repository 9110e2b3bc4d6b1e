/** Appends one step to an RFC 6901 JSON pointer. */
export function joinPointer(at: string, step: string | number): string {
  if (typeof step === 'number') return `${at}/${step}`
  return `${at}/${step.includes('~') || step.includes('/') ? escapeStep(step) : step}`
}

/** The value a pointer names; `undefined` when it does not exist (own properties only). */
export function resolvePointer(root: unknown, pointer: string): unknown {
  if (pointer === '') return root
  let at: unknown = root
  for (const step of pointer.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return at
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}
