import { expect, it } from 'vitest'
import { rightsInRules } from '../../../src/contract/field-rights.ts'

it('rights to fields are found below the steps of their names', () => {
  expect(
    rightsInRules({ customer: { level: 'read', 'ext.wechat': 'hidden' }, 'm.ticket': { note: 'read' } }),
  ).toEqual({
    customer: { level: 'read', ext: { wechat: 'hidden' } },
    m: { ticket: { note: 'read' } },
  })
})

it('a name that every object inherits is an ordinary name', () => {
  const named = rightsInRules(
    JSON.parse('{ "m.__proto__": { "stolen": "hidden" }, "m.constructor": { "note": "read" } }'),
  )
  expect(Object.hasOwn(Object.prototype, 'stolen')).toBe(false)
  expect(JSON.stringify(named)).toBe('{"m":{"__proto__":{"stolen":"hidden"},"constructor":{"note":"read"}}}')
  expect((rightsInRules({}) as { toString?: unknown }).toString).toBeUndefined()
})
