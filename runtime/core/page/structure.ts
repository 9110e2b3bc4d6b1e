import { type Phrase, type Problem, phrase, problem } from '../errors.ts'
import type { Json } from '../json.ts'
import validate from './document-validator.generated.js'
import { schemaFault } from './schema-fault.ts'

/** Faults in the structure the parser relies on; empty when there are none. */
export function checkStructure(document: Json): Problem[] {
  if (validate(document)) return []
  const problems = new Map<string, Problem>()
  for (const error of validate.errors ?? []) {
    const { instancePath, keyword } = error
    if (keyword === 'anyOf' || keyword === 'if') continue
    const inSettings = instancePath.startsWith('/formConfig/')
    const code = inSettings ? 'OPTION_INVALID' : 'DOCUMENT_INVALID'
    const reason = reasonOf(instancePath, schemaFault(error))
    if (!problems.has(instancePath)) problems.set(instancePath, problem(code, instancePath, { reason }))
    if (problems.size >= 100) break
  }
  return [...problems.values()]
}

function reasonOf(at: string, reason: Phrase): Phrase {
  return at === '' ? reason : phrase('"{name}" {reason}', { name: lastStep(at), reason })
}

function lastStep(at: string): string {
  const steps = at.split('/')
  const last = steps.at(-1) ?? ''
  return /^\d+$/.test(last) ? `${steps.at(-2) ?? ''}[${last}]` : last
}
