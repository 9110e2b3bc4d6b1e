import { expect, it } from 'vitest'
import { checkReads } from '../../runtime/core/model/check-reads.ts'
import { isCalledByServer } from '../../runtime/core/model/form-state.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { readProduct } from './product-pages.ts'

const registry = createRegistry()

it('the server can evaluate all checks of the forms of records, and refuses a write with an unchecked part', async () => {
  const { pages } = await readProduct()
  const found = pages
    .filter(({ path }) =>
      /^\/pages\/(?:customer|bussiness|contract|product|activity)\/(?:.*\/)?add$/.test(path),
    )
    .map(({ path, document }) => {
      const parsed = parsePage(document, { registry })
      if (!parsed.ok) throw new Error(path)
      const { page } = parsed
      const reads = checkReads(page)
      const unknown = [...reads.data.keys()].filter((name) => !isCalledByServer(page.dataSources.get(name)))
      return [path, { policy: page.settings.onUnjudged, unknown, dict: reads.dict, code: reads.code }]
    })

  expect(found).toHaveLength(10)
  for (const [, one] of found)
    expect(one).toEqual({ policy: 'refuse', unknown: [], dict: false, code: false })
})
