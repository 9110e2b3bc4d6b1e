import type { JsonObject } from '../../../runtime/core/json.ts'
import { ownCall, variable } from '../page-parts.ts'
import { HAS_FAILED } from './many.ts'
import type { DerivedWords } from './words.ts'

/** Brings deleted records back: those that the delete's answer names. */
export const undoSource = (name: string): JsonObject => ({
  uniqueName: 'restore',
  requestURL: ownCall(name, 'restore'),
  requestMethod: 'post',
  data: [variable('clientToken', 'DSV.clientToken'), variable('ids', 'DSV.ids')],
})

/** Says that records are deleted, with a button that brings them back. */
export const deletedToast = (message: string, words: DerivedWords): JsonObject => ({
  do: 'toast',
  text: message,
  icon: 'success',
  act: words.undo,
  then: [
    {
      do: 'request',
      dsName: 'restore',
      with: { ids: '{{ result.ok }}' },
      then: [
        {
          do: 'when',
          if: HAS_FAILED,
          then: [{ do: 'toast', text: '{{ result.failed.0.message }}' }],
          else: [{ do: 'toast', text: words.restored, icon: 'success' }],
        },
        { do: 'refresh' },
      ],
    },
  ],
})
