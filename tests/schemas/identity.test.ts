import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { itemsOf } from '../../runtime/core/edit/entries.ts'
import type { Json } from '../../runtime/core/json.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')

/** Files of pages and fragments. */
const files = ['pages', 'fragments'].flatMap((folder) =>
  readdirSync(join(SCHEMAS, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name)),
)

it('every widget of the product is identified by its id, or by a name unique in its container', () => {
  const unclear = files.flatMap((file) => {
    const document = JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8')) as Json
    return [...itemsOf(document).values()]
      .filter(({ key, slot }) => slot !== 'rows' && /@\d+$/.test(key))
      .map(({ key }) => `${file} ${key}`)
  })

  expect(files.length).toBeGreaterThan(100)
  expect(unclear).toEqual([])
})
