/** True until `ms` have passed since a moment. One that lies ahead counts as long ago: a clock was set back, and nobody waits for that hour. */
export function isWithin(ms: number, since: number, now: number): boolean {
  return since <= now && now - since < ms
}
