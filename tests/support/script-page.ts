import { DEFAULT_LIMITS } from '../../runtime/core/hooks/script-limits.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { createModel, type Model } from '../../runtime/core/model/model.ts'
import type { Page } from '../../runtime/core/page/page.ts'
import type {
  Batch,
  Effect,
  HookCall,
  Script,
  ScriptLimits,
  ScriptPage,
  ScriptReport,
  ScriptSession,
  Write,
} from '../../runtime/core/ports.ts'

/** A page's side of a script session, with everything that it received. */
export interface ScriptedPage {
  readonly model: Model
  readonly session: ScriptSession
  readonly reports: readonly ScriptReport[]
  readonly effects: readonly Effect[]
  readonly batches: readonly Batch[]
  /** One act of the user: its writes and the hooks it fires. */
  act(writes: readonly Write[], ...fire: readonly HookCall[]): void
  fire(hook: string, key?: string, ...args: readonly Json[]): Promise<void>
}

/** Opens a page on one implementation of the port. */
export type OpenScripted = (options: Omit<Options, 'script'>) => Promise<ScriptedPage> | ScriptedPage

interface Options {
  readonly script: Script
  readonly page: Page
  readonly limits?: Partial<ScriptLimits>
  readonly variables?: JsonObject
  readonly onRequest?: ScriptPage['onRequest']
}

/** Opens a page with the rule of HOOKS 1.1: a script's write to a cell that the page wrote since its base is dropped. */
export function openScriptedPage({ script, page, limits, variables, onRequest }: Options): ScriptedPage {
  let ids = 0
  const model = createModel({ page, text: (code) => code, now: () => 0, newRowId: () => `idp${++ids}` })
  const reports: ScriptReport[] = []
  const effects: Effect[] = []
  const batches: Batch[] = []
  const written = new Map<string, number>()
  let turn = 0
  const session = script.open({
    document: page.document,
    limits: { ...DEFAULT_LIMITS, ...limits },
    snapshot: () => ({ turn, writes: model.snapshot(), context: variables ? { variables } : {} }),
    onBatch(batch) {
      batches.push(batch)
      effects.push(...batch.effects)
      model.apply(batch.writes.filter(({ cell }) => (written.get(cell) ?? 0) <= batch.base))
    },
    onReport: (report) => reports.push(report),
    onRequest: onRequest ?? (async (name) => Promise.reject(new Error(`no ${name}`))),
  })
  const act: ScriptedPage['act'] = (writes, ...fire) => {
    turn += 1
    for (const { cell } of writes) written.set(cell, turn)
    model.apply(writes)
    session.post(turn, writes, fire)
  }
  return {
    model,
    session,
    reports,
    effects,
    batches,
    act,
    async fire(hook, key = '', ...args) {
      act([], { hook, key, args })
      await session.settled()
    },
  }
}

/** The page's side of a session that has no document, and hears nothing but reports. */
export const emptyPage = (onReport: ScriptPage['onReport'] = () => undefined): ScriptPage => ({
  document: {},
  limits: DEFAULT_LIMITS,
  snapshot: () => ({ turn: 0, writes: [] }),
  onBatch() {},
  onReport,
  onRequest: async () => null,
})
