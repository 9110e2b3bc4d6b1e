import { Script } from 'node:vm'
import { type Problem, problem } from '../../../../runtime/core/errors.ts'
import { isCodeKey } from '../../../../runtime/core/page/has-code.ts'
import { engineFault } from '../../../../runtime/core/page/json-fault.ts'
import { joinPointer } from '../../../../runtime/core/page/pointer.ts'

/** Reports code that cannot be compiled: CODE_INVALID at each place. The code is compiled, never run. */
export function checkCode(
  value: unknown,
  severity: Problem['severity'] = 'error',
  at = '',
  depth = 0,
): Problem[] {
  if (typeof value !== 'object' || value === null || depth > 400) return []
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  return entries.flatMap(([key, child]) => {
    const below = joinPointer(at, key)
    if (typeof child !== 'string') return checkCode(child, severity, below, depth + 1)
    return isCodeKey(key) && child.trim() !== '' ? checkSlot(child, severity, below) : []
  })
}

function checkSlot(code: string, severity: Problem['severity'], at: string): Problem[] {
  try {
    new Script(`(async function () {\n${code}\n})`)
    return []
  } catch (error) {
    const reason = engineFault(error instanceof Error ? error.message : String(error))
    return [problem('CODE_INVALID', at, { reason }, severity)]
  }
}
