import type { JsonObject } from '../../../runtime/core/json.ts'
import type { MergedModule } from '../merge-module.ts'
import { ownCall, variable } from '../page-parts.ts'
import { button } from './parts.ts'
import { type DetailTab, isOpen } from './tabs.ts'
import type { DerivedWords } from './words.ts'

/** The steps of the approval and what was said, as contracts have them. */
export const approvalTab = (words: DerivedWords): DetailTab => ({
  item: { label: words.approval, value: 'approval' },
  sources: [],
  widgets: [{ fragment: 'detail/approval-course', with: { shown: isOpen('approval') } }],
})

/** What is decided elsewhere is seen at once. */
export const FOLLOWS_DECISIONS: JsonObject = {
  live: [{ do: 'refresh', if: { in: [{ var: 'result.kind' }, ['todo', 'message', 'poll']] } }],
}

/** Calls and buttons of somebody whose record is approved, and of those who are asked. Nothing where nobody is. */
export function approvalParts({ name, approval }: MergedModule, words: DerivedWords) {
  if (approval === undefined) return { sources: [], buttons: [] }
  const call = (uniqueName: string, verb: string): JsonObject => ({
    uniqueName,
    requestURL: ownCall(name, verb),
    requestMethod: 'post',
    data: [variable('clientToken', 'DSV.clientToken'), variable('id', 'params.id')],
  })
  const confirmed = (title: string, content: string, source: string, done: string): readonly JsonObject[] => [
    {
      fragment: 'act/confirmed',
      with: {
        title,
        content,
        source,
        done,
        then: [{ do: 'refresh' }],
        else: [{ fragment: 'act/overtaken' }],
      },
    },
  ]
  return {
    sources: [call('submitIt', 'submit'), call('withdraw', 'withdraw')],
    buttons: [
      button(
        'withdraw',
        words.withdraw,
        confirmed(words.withdraw, words.withdrawAsk, 'withdraw', words.withdrawn),
        {
          type: 'default',
          visibleOn: { in: ['withdraw', { var: 'data.detail.actions' }] },
        },
      ),
      button('submit', words.submit, confirmed(words.submit, words.submitAsk, 'submitIt', words.submitted), {
        type: 'primary',
        visibleOn: { in: ['submit', { var: 'data.detail.actions' }] },
      }),
      button(
        'decide',
        words.decide,
        [{ do: 'navigate', url: '/pages/work/approval/detail?id={{ data.detail.approval_id }}' }],
        { type: 'primary', visibleOn: { in: ['approve', { var: 'data.approval.actions' }] } },
      ),
    ],
  }
}
