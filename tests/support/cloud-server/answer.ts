import type { ServerResponse } from 'node:http'
import type { Json } from '../../../runtime/core/json.ts'

/** The answer of a handler. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly data: Json
}

/** How an answer is corrupted on demand. */
export type Fault =
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly status: 301 | 302 | 307; readonly to: string }
  | { readonly kind: 'answer'; readonly answer: Answer }

/** Sends an answer, corrupted or not. */
export async function sendAnswer(response: ServerResponse, answer: Answer, fault?: Fault): Promise<void> {
  const text = JSON.stringify(answer.data)
  const headers = { 'content-type': 'application/json', ...answer.headers }
  const full = () => response.writeHead(answer.status ?? 200, headers).end(text)
  switch (fault?.kind) {
    case undefined:
      full()
      return
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, fault.delayMs))
      full()
      return
    case 'cut':
      response.writeHead(200, { ...headers, 'content-length': String(text.length + 100) })
      response.write(text.slice(0, text.length / 2))
      setTimeout(() => response.destroy(), 10)
      return
    case 'drop':
      response.destroy()
      return
    case 'broken':
      response.writeHead(200, headers).end(text.slice(0, text.length / 2))
      return
    case 'text':
      response.writeHead(200, { 'content-type': 'text/html' }).end(fault.text)
      return
    case 'huge':
      response.writeHead(200, headers).end(JSON.stringify({ filler: 'x'.repeat(fault.bytes) }))
      return
    case 'redirect':
      response.writeHead(fault.status, { location: fault.to }).end()
      return
    case 'answer':
      await sendAnswer(response, fault.answer)
  }
}
