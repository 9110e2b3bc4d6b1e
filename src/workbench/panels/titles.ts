import { useMemo } from 'react'
import { type Item, titleOf } from '../../../runtime/core/edit/entries.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { useCanvas } from '../canvas/use-drawn.ts'

/** The label of an item; for a field of a module it is read from the drawn page, because it is defined in the module. */
export function useTitles(): (item: Item) => string {
  const { drawn } = useCanvas()
  return useMemo(() => {
    const labels = new Map<string, string>()
    for (const node of drawn?.engine?.page.nodes.values() ?? []) {
      const key = drawn?.resolved.keyAt(node.pointer)
      const label = node.option('label') || labelInText(node.option('textContent'))
      if (key !== undefined && !labels.has(key) && typeof label === 'string' && label !== '')
        labels.set(key, label)
    }
    return (item) => {
      const ownTitle = titleOf(item.written)
      const { field, card } = item.written
      return typeof (field ?? card) === 'string' && ownTitle === item.name
        ? (labels.get(item.key) ?? ownTitle)
        : ownTitle
    }
  }, [drawn])
}

/** The text before the value on a line of a card. */
const labelInText = (text: Json | undefined): Json | undefined =>
  typeof text === 'string' ? text.split('{{')[0]?.trim() : undefined
