import type { NodeState } from '../../core/engine.ts'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { EmptyNote } from './empty-note.tsx'
import type { Rows } from './use-rows.ts'

interface Failed {
  /** The server's text of the error; '' if it was not reached. */
  readonly refusal: string
  /** Label of the button; default: retry. */
  readonly retry?: string
  readonly onRetry: () => void
}

/** An error state: the server's text, or that it was not reached, and a button to retry. */
export function FailedNote({ refusal, retry, onRetry }: Failed) {
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

/** Rows that could not be loaded. */
export function FailedRows({
  state,
  rows,
}: {
  readonly state: NodeState
  readonly rows: Pick<Rows, 'refusal' | 'retry'>
}) {
  return <FailedNote refusal={rows.refusal} retry={textOf(state.options.retry)} onRetry={rows.retry} />
}
