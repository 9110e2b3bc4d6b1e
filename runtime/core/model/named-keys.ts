import type { NodeKey } from '../page/page.ts'
import { rowKey } from '../state/cells.ts'
import type { Model } from './model.ts'

/** Keys of the nodes with a name: the plain name of a sub-form's field means that field in all rows (HOOKS 7, no. 5). */
export function namedKeys(model: Model, name: string): readonly NodeKey[] {
  const key = model.find(name)
  if (key === undefined) return []
  const node = model.page.nodes.get(key)
  if (!node || node.subForm === null) return [key]
  return [key, ...model.rowIds(node.subForm).map((id) => rowKey(key, id))]
}
