import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'

/** Widgets that somebody kept to put them on other pages too. */
export interface Block {
  readonly title: string
  readonly items: readonly JsonObject[]
}

/** Where a person's blocks stand on the device. */
export const BLOCKS = 'workbench-blocks'

/** As they were stored; what is none is left out. */
export const blocksIn = (stored: Json | undefined): readonly Block[] =>
  (Array.isArray(stored) ? stored : []).flatMap((one: Json): Block[] => {
    const title = ownValue(one, 'title')
    const items = ownValue(one, 'items')
    return typeof title === 'string' && Array.isArray(items) ? [{ title, items: items.filter(isObject) }] : []
  })

/** With one more, the newest first, under a title that no other has. */
export function withBlock(blocks: readonly Block[], { title, items }: Block): readonly Block[] {
  const taken = new Set(blocks.map((one) => one.title))
  let free = title
  for (let n = 2; taken.has(free); n += 1) free = `${title} ${n}`
  return [{ title: free, items }, ...blocks]
}
