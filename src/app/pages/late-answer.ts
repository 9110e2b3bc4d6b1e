import type { Engine } from '../../../runtime/core/engine.ts'
import type { Failure } from '../../../runtime/core/errors.ts'
import { isObject } from '../../../runtime/core/json.ts'
import { formatPlace, type Place } from '../navigation/routes.ts'
import { keepsDraft } from './drafts.ts'
import type { LeftSending } from './open-page.ts'

/** After the messages of the page itself, which do not say which form they are about. */
const AFTER_MS = 50
/** The sentence is long, and has a button. */
const SHOWN_MS = 6_000

interface Left extends LeftSending {
  readonly entry: Place
  /** Who sent it. */
  readonly person: string
  /** Who is signed in now. */
  readonly owner: () => string
}

/** Tells the user that a form which they left while it was sent was not stored, and where its input is (SHELL 1.2). */
export async function tellLate({ engine, sending, at, entry, person, owner }: Left): Promise<void> {
  const outcome = await sending
  const { text, feedback, clock, navigator } = engine.ports
  const place = at()
  if (place === 'visible' || owner() !== person) return
  const error = outcome?.ok === false ? outcome.error : null
  if (!engine.dirty() || (error !== null && isAsked(error))) return
  const isChanged = engine.conflict() !== null || error?.type === 'VERSION_CONFLICT'
  const reason = isChanged
    ? text('conflict.title')
    : error?.message.replace(/[。.！!]$/, '') || text('form.invalid')
  const isKept = keepsDraft(engine.page)
  const lost = text('late.lost', { title: titleOf(engine), reason })
  const told = isKept ? text('login.kept', { message: lost }) : lost
  clock.after(AFTER_MS, () =>
    feedback.toast({
      text: told,
      durationMs: SHOWN_MS,
      ...(isKept && place === 'closed'
        ? { act: { label: text('late.open'), run: () => navigator.open(formatPlace(entry)) } }
        : {}),
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
