import { expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { linkCards } from '../../../src/app/card/card-link.ts'

async function dataOf(answer: ReturnType<ReturnType<typeof linkCards>['answer']>): Promise<Json> {
  const outcome = await answer
  return outcome?.ok ? outcome.value.data : null
}

it('a card is parsed on the device, kept for the next form, and given to nobody else', async () => {
  let owner = 't:u1'
  const cards = linkCards(() => owner)
  const read = await dataOf(cards.answer({ url: 'local:/card/read', body: { text: '张三 13800138000' } }))
  await cards.answer({
    url: 'local:/card/keep',
    body: { name: ' 张三 ', mobile: '13800138000', email: '', attachments: [] },
  })
  const kept = await dataOf(cards.answer({ url: 'local:/card/kept' }))
  owner = 't:u2'

  expect(read).toMatchObject({ name: '张三', mobile: '13800138000', company: '' })
  expect(kept).toEqual({ record: { name: '张三', mobile: '13800138000' } })
  expect(await dataOf(cards.answer({ url: 'local:/card/kept' }))).toEqual({ record: {} })
})

it('other addresses are not answered, and an empty text is no card', async () => {
  const cards = linkCards(() => 't:u')

  expect(cards.answer({ url: 'local:/cards/read' })).toBeNull()
  expect(await dataOf(cards.answer({ url: 'local:/card/read', body: null }))).toMatchObject({
    name: '',
    rest: '',
  })
})
