import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { isObject } from '../core/json.ts'
import type { GuestEnd } from '../core/scripts/script-vm.ts'

/** Maximum length of a message that is passed on. */
const MESSAGE_LENGTH = 500

/**
 * The error of a thrown guest value. A stack overflow or full memory is a limit, not an error of the code; after "out of memory" the engine is not
 * used any more (freeing it may abort, quickjs-emscripten#257). `pressed`: memory is nearly full, so that the error itself may have no message.
 * Disposes the handle.
 */
export function readGuestError(context: QuickJSContext, handle: QuickJSHandle, pressed: boolean): GuestEnd {
  const thrown: unknown = context.dump(handle)
  handle.dispose()
  if (pressed && (thrown === null || thrown === '')) return outOf('out of memory')
  if (!isObject(thrown)) return { kind: 'error', message: String(thrown).slice(0, MESSAGE_LENGTH) }
  const name = typeof thrown.name === 'string' ? thrown.name : 'Error'
  const text = typeof thrown.message === 'string' ? thrown.message : ''
  if (name === 'InternalError' && (text === 'out of memory' || text === 'stack overflow')) {
    return outOf(text)
  }
  const line = lineOf(thrown.stack)
  return {
    kind: 'error',
    message: `${name}: ${text}`.slice(0, MESSAGE_LENGTH),
    ...(line === undefined ? {} : { line }),
  }
}

const outOf = (message: string): GuestEnd => ({
  kind: 'limit',
  limit: { code: 'SCRIPT_MEMORY', message, fatal: message === 'out of memory' },
})

/** The first line number in page code of a stack; our own guest files start with `guest:`. */
function lineOf(stack: unknown): number | undefined {
  if (typeof stack !== 'string') return undefined
  for (const frame of stack.split('\n')) {
    const found = /:(\d+)(?::\d+)?\)?\s*$/.exec(frame)
    if (found && !frame.includes('guest:')) return Number(found[1])
  }
  return undefined
}
