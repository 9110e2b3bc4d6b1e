import { expect, it } from 'vitest'
import type { ModalOptions } from '../../../runtime/core/ports.ts'
import type { OutboxEntry } from '../../../src/app/offline/offline-database.ts'
import { askBeforeLeaving } from '../../../src/app/session/ask-before-leaving.ts'
import { createStore } from '../../../src/app/store.ts'

/** A user with this number of unsent writes and these drafts, who gives these answers one after the other. */
async function leaving(waiting: number, saved: readonly string[], answers: readonly boolean[]) {
  const asked: ModalOptions[] = []
  const left = new Set(saved)
  const leaves = await askBeforeLeaving('t:u', {
    feedback: {
      async modal(options) {
        asked.push(options)
        return { confirm: answers[asked.length - 1] ?? false }
      },
    },
    text: (code, params) => `${code} ${params?.n ?? ''}`.trim(),
    drafts: { of: async () => [...left], remove: async (key) => void left.delete(key) },
    outbox: { entries: createStore<readonly OutboxEntry[]>(Array(waiting).fill({} as OutboxEntry)) },
  })
  return { leaves, asked: asked.map(({ content }) => content), drafts: [...left] }
}

it('who has nothing unsent leaves without a question', async () => {
  expect(await leaving(0, [], [])).toEqual({ leaves: true, asked: [], drafts: [] })
})

it('is told how many writes wait to be sent, beside the drafts', async () => {
  expect(await leaving(2, ['a', 'b', 'c'], [true, false])).toEqual({
    leaves: true,
    asked: ['outbox.leave 2', 'draft.leave 3'],
    drafts: ['a', 'b', 'c'],
  })
})

it('who does not want to leave unsent writes behind stays, with their drafts', async () => {
  expect(await leaving(1, ['a'], [false])).toEqual({
    leaves: false,
    asked: ['outbox.leave 1'],
    drafts: ['a'],
  })
})

it('drafts are removed if the user says so', async () => {
  expect(await leaving(0, ['a'], [true])).toEqual({ leaves: true, asked: ['draft.leave 1'], drafts: [] })
})
