import { expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { linkCards } from '../../../src/app/card/card-link.ts'

async function dataOf(answer: ReturnType<ReturnType<typeof linkCards>['answer']>): Promise<Json> {
  const outcome = await answer
  return outcome?.ok ? outcome.value.data : null
}

it('parses a card on the device, keeps it for the next form, and shows it to nobody else', async () => {
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

it('ignores other addresses, and finds no card in an empty text', async () => {
  const cards = linkCards(() => 't:u')

  expect(cards.answer({ url: 'local:/cards/read' })).toBeNull()
  expect(await dataOf(cards.answer({ url: 'local:/card/read', body: null }))).toMatchObject({
    name: '',
    rest: '',
  })
})
