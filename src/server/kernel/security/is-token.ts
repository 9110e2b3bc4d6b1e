import { timingSafeEqual } from 'node:crypto'

/** True for the token itself; takes the same time wherever another text differs. */
export function isToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
