import type { Engine } from '../../../runtime/core/engine.ts'
import type { Failure } from '../../../runtime/core/errors.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { Outcome } from '../../../runtime/core/ports.ts'
import { keepsDraft } from './drafts.ts'

/** After the messages of the page itself, which do not say which form they are about. */
const AFTER_MS = 50
/** The sentence is long, and has a button. */
const SHOWN_MS = 6_000

interface Left {
  readonly engine: Engine
  /** How the sending ended; null if the page stopped it, or has a question about it. */
  readonly outcome: Outcome<Json> | null
  /** Opens the form again; null while it is only covered. */
  readonly reopen: (() => void) | null
}

/** Tells the user that a form which they left while it was sent was not stored, and where its input is (SHELL 1.2). */
export function tellLate({ engine, outcome, reopen }: Left): void {
  const { text, feedback, clock } = engine.ports
  const error = outcome?.ok === false ? outcome.error : null
  if (!engine.dirty() || (error !== null && isAsked(error))) return
  const isChanged = engine.conflict() !== null || error?.type === 'VERSION_CONFLICT'
  const reason = isChanged
    ? text('late.changed')
    : error?.message.replace(/[。.！!]$/, '') || text('late.checked')
  const isKept = keepsDraft(engine.page)
  const told = text(isKept ? 'late.kept' : 'late.lost', { title: titleOf(engine), reason })
  clock.after(AFTER_MS, () =>
    feedback.toast({
      text: told,
      durationMs: SHOWN_MS,
      ...(isKept && reopen ? { act: { label: text('late.open'), run: reopen } } : {}),
    }),
  )
}

/** The user is asked what to do, or is told otherwise. */
function isAsked({ code, data }: Failure): boolean {
  return (
    ['NETWORK', 'TIMEOUT', 'SESSION_OVER', 'ABORTED'].includes(code) ||
    (isObject(data) && data.confirm !== undefined)
  )
}

/** The title of the page and what its record is called: the first text of the form. */
function titleOf(engine: Engine): string {
  const title = engine.fill(engine.page.settings.title ?? '')
  const values = engine.values()
  const first = [...engine.page.nodes.values()].find(
    ({ key, type, field, subForm, options, name }) =>
      type === 'input' &&
      field &&
      subForm === null &&
      options.type !== 'password' &&
      !engine.hidden(key) &&
      values[name],
  )
  return [title, String(first === undefined ? '' : values[first.name])]
    .filter((part) => part !== '')
    .join(' · ')
}
