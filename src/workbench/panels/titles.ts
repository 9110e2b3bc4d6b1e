import { useMemo } from 'react'
import { type Item, titleOf } from '../../../runtime/core/edit/entries.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { useCanvas } from '../canvas/use-drawn.ts'

/** What people call an item: what a field of a module is called stands in the module, so it is read where it is drawn. */
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
      const own = titleOf(item.written)
      const { field, card } = item.written
      return typeof (field ?? card) === 'string' && own === item.name ? (labels.get(item.key) ?? own) : own
    }
  }, [drawn])
}

/** What a line of a card says before its value. */
const labelInText = (text: Json | undefined): Json | undefined =>
  typeof text === 'string' ? text.split('{{')[0]?.trim() : undefined
