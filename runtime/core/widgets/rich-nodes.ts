/** Root nodes above this number are grouped. */
export const GROUP_FROM = 50
/** Shorter runs are not grouped. */
const RUN = 5

/**
 * Groups runs of at least five plain neighbours if a text has more than fifty nodes, so that the tree stays small. The order of the
 * nodes never changes.
 *
 * @param isPlain  true for blocks that need no component of their own: no picture, no video, no link to observe
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
