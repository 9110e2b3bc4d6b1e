/** True until `ms` have passed since a time. A time in the future counts as long ago: the clock was set back, and nobody should wait until then. */
export function isWithin(ms: number, since: number, now: number): boolean {
  return since <= now && now - since < ms
}
