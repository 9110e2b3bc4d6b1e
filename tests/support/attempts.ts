/** A time that one of several attempts must keep. */
interface Timed {
  readonly limitMs: number
  /** Maximum number of attempts. */
  readonly most: number
  /** Number of attempts that are made in any case. */
  readonly least?: number
}

/**
 * Measures until an attempt is within the limit: a busy machine may be late several times, what is really too slow is late in every attempt.
 *
 * @returns what each took, in ms
 */
export async function attempts(
  { limitMs, most, least = 1 }: Timed,
  once: (index: number) => Promise<number>,
): Promise<readonly number[]> {
  const took: number[] = []
  const isOver = () => took.length >= least && Math.min(...took) < limitMs
  while (took.length < most && !isOver()) took.push(await once(took.length))
  return took
}
