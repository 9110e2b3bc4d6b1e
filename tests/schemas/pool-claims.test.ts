import { expect, it } from 'vitest'
import type { JsonObject } from '../../runtime/core/json.ts'
import { type DerivedWords, derivePage } from '../../src/model/derive-pages.ts'
import type { ModuleDescription } from '../../src/model/description.ts'
import { asMerged } from '../../src/model/merge-module.ts'
import { objectsIn, readProduct } from './product-pages.ts'

const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords
const TICKET: ModuleDescription = {
  name: 'ticket',
  label: '工单',
  title: 'title',
  behaviours: ['owned', 'pool'],
  fields: [{ name: 'title', kind: 'text', label: '标题', required: true }],
}

/** The requests of a page that claim a record. */
const claims = (document: JsonObject): readonly JsonObject[] =>
  [...objectsIn(document)].filter((one) => one.do === 'request' && one.dsName === 'claim')

/** What is done after a refused claim, as the names of the actions. */
const afterRefusal = (claim: JsonObject): readonly unknown[] =>
  [...objectsIn(claim.else)].flatMap((one) => one.do ?? one.fragment ?? [])

it('a record that a colleague claimed first is read again, in every pool of the product', async () => {
  const { pages } = await readProduct()
  const pools = pages.filter(({ document }) => claims(document).length > 0)

  expect(pools.map(({ path }) => path).sort()).toEqual([
    '/pages/bussiness/pool/detail',
    '/pages/bussiness/pool/index',
    '/pages/customer/leads-pool/detail',
    '/pages/customer/leads-pool/index',
    '/pages/customer/pool/detail',
    '/pages/customer/pool/index',
  ])
  for (const { path, document } of pools)
    for (const claim of claims(document))
      expect([path, ...afterRefusal(claim)]).toEqual([
        path,
        'toast',
        path.endsWith('/detail') ? 'redirect' : 'refresh',
      ])
})

it('and so is a record of an own module', () => {
  const ticket = asMerged(TICKET, 'tenant')
  const others = new Map([['ticket', ticket]])
  const detail = derivePage('detail', ticket, WORDS, { isOwn: () => true, isMade: false, others })

  expect(claims(detail).map(afterRefusal)).toEqual([['act/claim-refused']])
})
