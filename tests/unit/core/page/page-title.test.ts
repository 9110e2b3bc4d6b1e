import { expect, it } from 'vitest'
import { parsePage } from '../../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../../runtime/core/widgets/index.ts'

const titleOf = (formConfig: object): string | undefined => {
  const parsed = parsePage({ formConfig, widgetList: [] } as never, { registry: createRegistry() })
  return parsed.ok ? parsed.page.settings.title : parsed.problems[0]?.code
}

it('the title of a plain VForm document is its form name', () => {
  expect(titleOf({ jsonVersion: 3, formName: '来访登记' })).toBe('来访登记')
  expect(titleOf({ jsonVersion: 3 })).toBeUndefined()
})

it('a page of ours takes the title only from its settings', () => {
  expect(titleOf({ formName: '来访登记', page: { title: '访客' } })).toBe('访客')
  expect(titleOf({ formName: '来访登记', page: {} })).toBeUndefined()
})
