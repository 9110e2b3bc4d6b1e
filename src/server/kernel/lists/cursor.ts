import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonical } from '../text/canonical.ts'

/** Where a page of a list ended: the sort values of its last row as the database formats them, and its id. */
export interface Position {
  readonly values: readonly string[]
  readonly id: string
}

/** A stable fingerprint of a list request; a cursor is bound to it. */
export function fingerprint(question: unknown): string {
  return createHash('sha256').update(canonical(question)).digest('base64url').slice(0, 22)
}

/** An opaque, signed cursor (DOMAIN 8.1). */
export function encodeCursor(position: Position, hash: string, secret: string): string {
  const body = Buffer.from(JSON.stringify([hash, position.id, ...position.values])).toString('base64url')
  return `${body}.${signature(body, secret)}`
}

/** Reads a cursor; null if it was altered, signed elsewhere, or made for another request. */
export function decodeCursor(cursor: string, hash: string, secret: string): Position | null {
  const [body = '', sign = '', ...more] = cursor.split('.')
  const expected = Buffer.from(signature(body, secret))
  const given = Buffer.from(sign)
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [madeFor, id, ...values] = JSON.parse(Buffer.from(body, 'base64url').toString()) as string[]
  return madeFor === hash && id !== undefined ? { id, values } : null
}

function signature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(`cursor:${body}`).digest('base64url').slice(0, 22)
}
