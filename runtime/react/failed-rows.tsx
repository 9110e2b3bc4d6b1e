import type { NodeState } from '../core/engine.ts'
import { EmptyNote } from './empty-note.tsx'
import { textOf } from './options.ts'
import { useText } from './page-context.ts'
import type { Rows } from './use-rows.ts'

/** Rows that did not come: what the server said, or that it was not reached, and another try. */
export function FailedRows({ state, rows }: { readonly state: NodeState; readonly rows: Rows }) {
  const t = useText()
  return (
    <EmptyNote
      image={rows.refusal === '' ? 'network' : 'lock'}
      text={rows.refusal || t('list.failed')}
      action={textOf(state.options.retry) || t('list.retry')}
      onAction={rows.retry}
    />
  )
}
