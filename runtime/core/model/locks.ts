import type { NodeKey, Page, PageNode } from '../page/page.ts'

const NO_KEYS: readonly NodeKey[] = []
const LOCK_RULES: ReadonlySet<string> = new Set(['disabledOn', 'readonlyOn', 'requiredOn'])

/** The containers of a page that pass on their state (disabled, read-only, read mode, required) to their content. */
export interface Locks {
  /** The containers around a node whose state it shares, innermost first. */
  above(node: PageNode): readonly NodeKey[]
  /** True for a container whose own rules affect its content. */
  isRuled(container: NodeKey): boolean
}

export function createLocks(page: Page): Locks {
  const known = new Map<NodeKey, readonly NodeKey[]>() // by the container that contains a node
  const ruled = new Set<NodeKey>()
  for (const node of page.nodes.values()) {
    if (locks(node) && node.special.some((name) => LOCK_RULES.has(name))) ruled.add(node.key)
  }

  function above(node: PageNode): readonly NodeKey[] {
    if (node.parent === null) return NO_KEYS
    const found = known.get(node.parent)
    if (found) return found
    const parent = page.nodes.get(node.parent)
    const further = parent ? above(parent) : NO_KEYS
    const all = parent && locks(parent) ? [parent.key, ...further] : further
    known.set(node.parent, all)
    return all
  }
  return { above, isRuled: (container) => ruled.has(container) }
}

/** True for a container that passes on its state. */
export const locks = ({ spec }: PageNode): boolean =>
  spec.locks ?? (spec.children !== undefined && spec.children !== 'template')

/** The fields that a group's `requiredOn` applies to: those in it, but not those in the rows of a sub-form in it. A sub-form then requires rows. */
export const isRequiredBy = (group: PageNode, node: PageNode): boolean =>
  !group.field &&
  group.spec.children !== 'rowList' &&
  group.subForm === node.subForm &&
  (group.option('requiredOn') ?? null) !== null
