import type { Action, ActionFrame } from '../actions/action-host.ts'
import type { Json } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { Outcome, Ports } from '../ports.ts'
import { recordOf } from './collisions.ts'
import type { Sources } from './sources.ts'
import type { Touched } from './touched.ts'

interface Parts {
  readonly model: Model
  readonly sources: Sources
  readonly touched: Touched
  readonly ports: Ports
}

/** Sends a form until it is answered, the user gives up or the write waits in the outbox, which is null. */
export type SendForm = (action: Action, frame: ActionFrame) => Promise<Outcome<Json> | null>

export function createFormSender({ model, sources, touched, ports }: Parts): SendForm {
  let last = { content: '', token: '' }

  /** The same content keeps its token, so that a repeat after a lost answer creates no second record; changed content gets a new one. */
  function tokenFor(name: string, frame: ActionFrame): string {
    const content = JSON.stringify([sources.key(name, { clientToken: '' }), frame.row ?? null])
    if (content !== last.content) last = { content, token: ports.random.uuid() }
    return last.token
  }
  async function send(name: string, action: Action, frame: ActionFrame): Promise<Outcome<Json>> {
    const waiting =
      typeof action.waiting === 'string' ? sources.fill(action.waiting) : ports.text('form.saving')
    const done = ports.feedback.loading(waiting)
    try {
      return await sources.request(name, { clientToken: tokenFor(name, frame) }, { isForm: true })
    } finally {
      done()
    }
  }
  /** Passes the write to the outbox. False: the device cannot store it; null: the page does not let it wait (PAGE-FORMAT, submit). */
  async function queue(action: Action, frame: ActionFrame): Promise<boolean | null> {
    const { queue: title, queueText } = action
    const name = String(action.dsName)
    const request = sources.built(name, { clientToken: tokenFor(name, frame) })
    if (ports.outbox === undefined || typeof title !== 'string' || request === undefined) return null
    const base = recordOf(model, action)
    return ports.outbox.put({
      request,
      title: sources.fill(title),
      text: typeof queueText === 'string' ? sources.fill(queueText) : '',
      draft: { ...(base === undefined ? {} : { base }), ...touched.draft() },
    })
  }
  /** @param waits  see `queue` */
  const askAgain = (waits: boolean | null): Promise<{ readonly confirm: boolean }> =>
    ports.feedback.modal({
      content: ports.text(
        model.page.settings.draft === false ? 'form.unsent' : waits === false ? 'form.unkept' : 'form.kept',
      ),
      confirmText: ports.text('form.retry'),
      cancelText: ports.text('form.later'),
    })

  return async (action, frame) => {
    for (;;) {
      const outcome = await send(String(action.dsName), action, frame)
      if (outcome.ok || (outcome.error.code !== 'NETWORK' && outcome.error.code !== 'TIMEOUT')) return outcome
      const waits = await queue(action, frame)
      if (waits === true) return null
      const { confirm } = await askAgain(waits)
      if (!confirm) return { ok: false, error: { ...outcome.error, shown: true } }
    }
  }
}
