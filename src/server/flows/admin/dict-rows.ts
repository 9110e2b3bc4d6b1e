import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminDict } from '../../../contract/admin.ts'

/** Values in the order of their tree, each with its depth and whether it can be moved. */
export function dictRows({ items }: AdminDict): readonly JsonObject[] {
  const below = (parent: string, depth: number): readonly JsonObject[] => {
    const siblings = items.filter((item) => item.parent === parent)
    return siblings.flatMap((item, index) => [
      {
        ...item,
        id: item.value,
        depth,
        first: index === 0,
        last: index === siblings.length - 1,
        indent: '　'.repeat(depth),
      },
      ...below(item.value, depth + 1),
    ])
  }
  return below('', 0)
}
