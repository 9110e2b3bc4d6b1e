import { expect, it } from 'vitest'
import { connectSocket } from '../../../runtime/net/socket.ts'

it.each([
  [undefined, undefined, true],
  [1000, '再见', true],
  [3000, '', true],
  [1001, '', false],
  [1000, 'x'.repeat(124), false],
])('closing a socket with %s "%s" is carried out: %s', (code, reason, isDone) => {
  const opened = connectSocket({ url: 'ws://127.0.0.1:1', WebSocket: Browser as unknown as typeof WebSocket })
  if (!opened.ok) throw opened.error

  const outcome = opened.value.close(code, reason)

  expect(outcome.ok).toBe(isDone)
  if (!outcome.ok) expect(outcome.error.code).toBe('REFUSED')
  opened.value.close()
})

/** The browser's behaviour when asked to close. */
class Browser {
  readonly OPEN = 1
  readyState = 1
  onclose: ((event: { code: number; reason: string }) => void) | null = null

  close(code = 1000, reason = ''): void {
    if (code !== 1000 && (code < 3000 || code > 4999))
      throw new DOMException('the code is neither 1000 nor in 3000-4999', 'InvalidAccessError')
    if (new TextEncoder().encode(reason).length > 123)
      throw new DOMException('the reason is too long', 'SyntaxError')
    this.onclose?.({ code, reason })
  }
}
