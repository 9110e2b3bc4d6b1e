import type { NodeKey, Page } from '../page/page.ts'
import { rowKey, splitRowKey } from '../state/cells.ts'
import type { SubForm } from './rows.ts'

interface Parts {
  readonly page: Page
  readonly subForms: ReadonlyMap<NodeKey, SubForm>
  readonly rowIds: (subForm: NodeKey) => readonly string[]
  readonly subFormOfRow: (rowId: string) => NodeKey | undefined
}

/** Names of a field: its node key, its address `subForm.rowIndex.field`, its reference `field@row<rowId>` (HOOKS 4.2). */
export interface Addresses {
  address(key: NodeKey): string
  find(name: string): NodeKey | undefined
  fieldKeys(): readonly NodeKey[]
  /** Everything that is checked: the fields, and sub-forms before their rows. */
  checkedKeys(): readonly NodeKey[]
}

const places = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** Index of a row id; -1 for a deleted row. Lists of ids are never modified. */
function placeOf(ids: readonly string[], id: string): number {
  let known = places.get(ids)
  if (known === undefined) {
    known = new Map(ids.map((rowId, i) => [rowId, i]))
    places.set(ids, known)
  }
  return known.get(id) ?? -1
}

export function createAddresses({ page, subForms, rowIds, subFormOfRow }: Parts): Addresses {
  function checkedKeys(): readonly NodeKey[] {
    const keys: NodeKey[] = []
    for (const node of page.nodes.values()) {
      const subForm = subForms.get(node.key)
      if (subForm) {
        keys.push(node.key)
        for (const id of rowIds(node.key))
          for (const field of subForm.fields) keys.push(rowKey(field.key, id))
      } else if (node.field && node.subForm === null && node.template === null) keys.push(node.key)
    }
    return keys
  }
  return {
    address(key) {
      const node = page.nodes.get(key)
      if (node) return node.name
      const { base, rowId } = splitRowKey(key)
      const subForm = rowId === null ? undefined : subFormOfRow(rowId)
      if (rowId === null || subForm === undefined) return key
      const index = placeOf(rowIds(subForm), rowId)
      return `${page.nodes.get(subForm)?.name ?? subForm}.${index}.${page.nodes.get(base)?.name ?? base}`
    },

    find(name) {
      const plainKey = page.byName.get(name) ?? (page.nodes.has(name) ? name : undefined)
      if (plainKey !== undefined) return plainKey
      const { base, rowId } = splitRowKey(name)
      if (rowId !== null) {
        const template = page.byName.get(base) ?? base
        return subFormOfRow(rowId) !== undefined && page.nodes.has(template)
          ? rowKey(template, rowId)
          : undefined
      }
      const [subName = '', index = '', field = ''] = name.split('.')
      const subForm = page.byName.get(subName)
      const id = subForm !== undefined && subForms.has(subForm) ? rowIds(subForm)[Number(index)] : undefined
      const template = subForms.get(subForm ?? '')?.fields.find((f) => f.name === field)
      return id !== undefined && template ? rowKey(template.key, id) : undefined
    },

    fieldKeys: () => checkedKeys().filter((key) => !subForms.has(key)),
    checkedKeys,
  }
}
