/** More nodes than this at the root are grouped. */
export const GROUP_FROM = 50
/** Shorter runs are not worth a group. */
const RUN = 5

/**
 * Puts runs of at least five plain neighbours into groups when a text has more than fifty of them, so that the tree stays small
 *. The order of the nodes never changes.
 *
 * @param isPlain  true for blocks that need no part of their own: no picture, no film, no link to watch
 */
export function groupNodes<T>(
  nodes: readonly T[],
  isPlain: (node: T) => boolean,
): readonly (T | readonly T[])[] {
  if (nodes.length <= GROUP_FROM) return nodes
  const out: (T | readonly T[])[] = []
  let run: T[] = []
  const flush = () => {
    if (run.length >= RUN) out.push(run)
    else out.push(...run)
    run = []
  }
  for (const node of nodes) {
    if (isPlain(node)) {
      run.push(node)
      continue
    }
    flush()
    out.push(node)
  }
  flush()
  return out
}
