import type { NodeState } from '../../core/engine.ts'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { EmptyNote } from './empty-note.tsx'
import type { Rows } from './use-rows.ts'

interface Failed {
  /** The words of the server, for a refusal as for its own failure; '' when it was not reached. */
  readonly refusal: string
  /** Label of the button; default: retry. */
  readonly retry?: string
  readonly onRetry: () => void
}

/** Something that did not come: what the server said, or that it was not reached, and another try. */
export function FailedNote({ refusal, retry = '', onRetry }: Failed) {
  const t = useText()
  return (
    <EmptyNote
      image={refusal === '' ? 'network' : 'alert'}
      text={refusal || t('list.failed')}
      action={retry || t('list.retry')}
      onAction={onRetry}
    />
  )
}

/** Rows that did not come. */
export function FailedRows({
  state,
  rows,
}: {
  readonly state: NodeState
  readonly rows: Pick<Rows, 'refusal' | 'retry'>
}) {
  return <FailedNote refusal={rows.refusal} retry={textOf(state.options.retry)} onRetry={rows.retry} />
}
