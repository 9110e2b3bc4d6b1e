import type { ActionFrame, ActionHost } from '../actions/action-host.ts'
import { runActions } from '../actions/run-actions.ts'
import type { Engine } from '../engine.ts'
import { hasCode, hookCode } from '../hooks/hook-code.ts'
import { isObject, type Json } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { ScriptLink } from './script-link.ts'

/** Handles events of widgets and of the page: their hooks and actions. */
export interface Events extends Pick<Engine, 'event' | 'consents' | 'pageEvent'> {
  /** Runs only the actions of an event; its hooks are called elsewhere. */
  act(key: NodeKey, name: string, frame: ActionFrame): void
}

interface EventParts {
  readonly model: Model
  readonly link: ScriptLink
  readonly host: ActionHost
}

/** Runs the events of a page. The same event of the same widget and row does not run twice at once: a double tap counts once. */
export function createEvents({ model, link, host }: EventParts): Events {
  const { page } = model
  const running = new Set<string>()

  async function once<T>(busy: string, work: () => Promise<T>, whileBusy: T): Promise<T> {
    if (running.has(busy)) return whileBusy
    running.add(busy)
    try {
      return await work()
    } finally {
      running.delete(busy)
    }
  }
  function actionsOf(key: NodeKey, name: string): Json | undefined {
    const on = model.pageNode(key)?.options.on
    return isObject(on) ? on[name] : undefined
  }
  /** The form's hook of a page event; true when it vetoes going back. */
  async function pageHook(name: string, result: Json | undefined): Promise<boolean> {
    const hook = hookOf(name)
    if (hookCode(page, hook, '') === undefined) return false
    if (name !== 'backPress') {
      link.commit([], [{ hook, key: '', args: [] }])
      return false
    }
    const answer = await link.ask({ hook, key: '', args: result === undefined ? [] : [result] })
    return answer.ok && answer.value === true
  }

  return {
    event: (key, name, detail = {}) =>
      once(
        `${key} ${name} ${detail.row?.id}`,
        async () => {
          const node = model.pageNode(key)
          const hook = hookOf(name)
          const hostEvent = HOST_EVENTS[name]
          if (hasCode(node?.options[hook])) link.commit([], [{ hook, key, args: detail.args ?? [] }])
          else if (node && hostEvent?.type === node.type)
            host.emit(hostEvent.event, [{ type: node.type, name: node.name }])
          await runActions(actionsOf(key, name), host, { at: key, ...detail, acted: true })
        },
        undefined,
      ),
    consents: (key, name) =>
      once(
        `${key} ${name}`,
        async () => {
          await runActions(actionsOf(key, name), host, { at: key, acted: true })
          const hook = hookOf(name)
          if (!hasCode(model.pageNode(key)?.options[hook])) return true
          const answer = await link.ask({ hook, key, args: [] })
          return !answer.ok || answer.value !== false
        },
        false,
      ),
    async pageEvent(name, result) {
      const on = page.settings.on
      const actions = isObject(on) ? on[name] : undefined
      const vetoed = await pageHook(name, result)
      const ended = await runActions(actions, host, {
        ...(result === undefined ? {} : { result }),
        ...(name === 'load' ? { opening: true } : {}),
      })
      return vetoed || !ended
    },
    act: (key, name, frame) => void runActions(actionsOf(key, name), host, frame),
  }
}

/** The event for the host if the widget has no code (HOOKS 1.3). */
const HOST_EVENTS: Readonly<Record<string, { readonly type: string; readonly event: string }>> = {
  click: { type: 'button', event: 'buttonClick' },
  appendButtonClick: { type: 'input', event: 'appendButtonClick' },
}

const hookOf = (event: string): string => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`
