import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'

/** Widgets saved for use on other pages. */
export interface Block {
  readonly title: string
  readonly items: readonly JsonObject[]
}

/** Where a person's blocks are stored on the device. */
export const BLOCKS = 'workbench-blocks'

/** The stored blocks; invalid ones are left out. */
export const blocksIn = (stored: Json | undefined): readonly Block[] =>
  (Array.isArray(stored) ? stored : []).flatMap((one: Json): Block[] => {
    const title = ownValue(one, 'title')
    const items = ownValue(one, 'items')
    return typeof title === 'string' && Array.isArray(items) ? [{ title, items: items.filter(isObject) }] : []
  })

/** Adds a block, newest first, with a unique title. */
export function withBlock(blocks: readonly Block[], { title, items }: Block): readonly Block[] {
  const titles = new Set(blocks.map((block) => block.title))
  let free = title
  for (let n = 2; titles.has(free); n += 1) free = `${title} ${n}`
  return [{ title: free, items }, ...blocks]
}
