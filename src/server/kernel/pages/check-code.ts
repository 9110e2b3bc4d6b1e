import { Script } from 'node:vm'
import { codeSlots } from '../../../../runtime/core/check/not-supported.ts'
import { type Phrase, type Problem, phrase, problem } from '../../../../runtime/core/errors.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { engineFault, lineAt, type TextPlace } from '../../../../runtime/core/page/json-fault.ts'
import { bracketFault } from './bracket-fault.ts'

/** Reports code that cannot be compiled: CODE_INVALID at each place. The code is compiled, never run. */
export const checkCode = (document: Json, severity: Problem['severity'] = 'error'): readonly Problem[] =>
  codeSlots(document).flatMap(({ code, at }) => checkSlot(code, severity, at))

function checkSlot(code: string, severity: Problem['severity'], at: string): Problem[] {
  try {
    new Script(`(async function () {\n${code}\n})`, { filename: FILE, lineOffset: -1 })
    return []
  } catch (error) {
    return [problem('CODE_INVALID', at, { reason: codeFault(error as Error, code) }, severity)]
  }
}

const FILE = 'code'

/** Why code cannot be compiled, with line and column in it. What the engine finds behind it is about the function around it. */
function codeFault(error: Error, code: string): Phrase {
  const brackets = bracketFault(code)
  const place = enginePlace(error)
  const isInside = place !== null && place.line <= code.split('\n').length
  if (brackets !== null && !(brackets.isAtEnd && isInside))
    return placed(lineAt(code, brackets.offset), brackets.fault)
  return placed(isInside ? place : lineAt(code, code.trimEnd().length), engineFault(error.message))
}

const placed = ({ line, column }: TextPlace, fault: Phrase): Phrase =>
  phrase('line {line}, column {column}: {fault}', { line, column, fault })

/** Where the engine stopped: its stack begins with the line, which it repeats with marks below. */
function enginePlace({ stack = '' }: Error): TextPlace | null {
  const [head = '', , marks = ''] = stack.split('\n')
  const line = /^code:(\d+)$/.exec(head)?.[1]
  return line === undefined ? null : { line: Number(line), column: marks.indexOf('^') + 1 }
}
