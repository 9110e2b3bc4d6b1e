import { isObject, isSafeName, type Json, type JsonObject } from '../json.ts'
import type { NodeKey, Page } from '../page/page.ts'
import type { Write } from '../ports.ts'
import { optionCell, parseCell, rowKey, splitRowKey } from '../state/cells.ts'

interface Rule {
  readonly trigger: string
  readonly values: readonly Json[]
  readonly actions: readonly JsonObject[]
  readonly elseActions: readonly JsonObject[]
}

interface Triggered {
  readonly rule: Rule
  readonly rowId: string | null
}

interface Parts {
  readonly page: Page
  /** By field name, or `<name>@row<rowId>`. */
  readonly value: (key: string) => Json
  readonly read: (cell: string) => Json | undefined
  readonly rowIds: (subForm: NodeKey) => readonly string[]
}

/**
 * The page's `dynamicLogicList` (PAGE-FORMAT, VForm): when a trigger field has one of the listed values, its actions write options of other widgets.
 * Nothing is undone automatically: a rule without `elseActions` leaves its effects.
 */
export interface DynamicLogic {
  /** The writes that follow from these, after they were applied. */
  after(writes: readonly Write[]): readonly Write[]
  /** Those of the rules of one trigger field, in every row; of all rules without a name. */
  all(trigger?: string): readonly Write[]
}

const NOTHING: readonly Write[] = []

export function createDynamicLogic(parts: Parts): DynamicLogic {
  const { page, rowIds } = parts
  const rules = readRules(page.config.dynamicLogicList)
  const rulesOf = (name: string): readonly Rule[] => rules.filter(({ trigger }) => trigger === name)

  function run(
    triggered: readonly { readonly rule: Rule; readonly rowId: string | null }[],
  ): readonly Write[] {
    const writes = new Map<string, Json>()
    for (const { rule, rowId } of triggered) {
      const value = parts.value(rowId === null ? rule.trigger : rowKey(rule.trigger, rowId))
      const actions = rule.values.includes(value) ? rule.actions : rule.elseActions
      for (const action of actions) {
        for (const key of targetsOf(action, rowId)) act(action, key, writes)
      }
    }
    return [...writes].map(([cell, value]) => ({ cell, value }))
  }
  function act({ type, value }: JsonObject, key: NodeKey, writes: Map<string, Json>): void {
    if (type === 'setVisibility') writes.set(optionCell(key, 'hidden'), value !== true)
    else if (type === 'setEnable') writes.set(optionCell(key, 'disabled'), value !== true)
    else if (type === 'setOptionVisibility' || type === 'setOptionEnable') {
      const flag = type === 'setOptionEnable' ? 'disabled' : 'hidden'
      const cell = optionCell(key, 'itemStates')
      const known = writes.get(cell) ?? parts.read(cell)
      writes.set(cell, markItems(isObject(known) ? known : {}, value ?? null, flag))
    }
  }
  /** A field of a sub-form means the one in the trigger's own row, or in every existing and future row. */
  function targetsOf({ targetFieldName }: JsonObject, rowId: string | null): readonly NodeKey[] {
    const names = Array.isArray(targetFieldName) ? targetFieldName : [targetFieldName]
    return names.flatMap((name) => {
      const key = typeof name === 'string' ? page.byName.get(name.split('.').at(-1) ?? '') : undefined
      const node = key === undefined ? undefined : page.nodes.get(key)
      if (node === undefined) return []
      if (node.subForm === null) return [node.key]
      const ids = rowIds(node.subForm)
      if (rowId !== null && ids.includes(rowId)) return [rowKey(node.key, rowId)]
      return [node.key, ...ids.map((id) => rowKey(node.key, id))]
    })
  }

  return {
    after(writes) {
      if (rules.length === 0) return NOTHING
      return run(
        writes.flatMap(({ cell }) => {
          const target = parseCell(cell)
          if (target?.kind !== 'value') return []
          const { base, rowId } = splitRowKey(target.key)
          return rulesOf(base).map((rule) => ({ rule, rowId }))
        }),
      )
    },
    all(trigger) {
      const wanted = trigger === undefined ? rules : rulesOf(trigger)
      return run(
        wanted.flatMap((rule): readonly Triggered[] => {
          const subForm = page.nodes.get(page.byName.get(rule.trigger) ?? '')?.subForm ?? null
          if (subForm === null) return [{ rule, rowId: null }]
          return rowIds(subForm).map((rowId) => ({ rule, rowId }))
        }),
      )
    },
  }
}

/** `{ optionValue, state }`, or a list of them, as flags by the item's value. */
function markItems(known: JsonObject, value: Json, flag: 'disabled' | 'hidden'): JsonObject {
  const states: Record<string, Json | undefined> = { ...known }
  for (const mark of Array.isArray(value) ? value : [value]) {
    if (!isObject(mark)) continue
    const name = String(mark.optionValue)
    const before = states[name]
    if (isSafeName(name)) states[name] = { ...(isObject(before) ? before : {}), [flag]: mark.state !== true }
  }
  return states
}

function readRules(list: Json | undefined): readonly Rule[] {
  return (Array.isArray(list) ? list : []).filter(isObject).flatMap((rule) => {
    const { triggerFieldName: trigger, triggerFieldValues: values } = rule
    if (typeof trigger !== 'string') return []
    return [
      {
        trigger,
        values: Array.isArray(values) ? values : [values ?? null],
        actions: objects(rule.actions),
        elseActions: objects(rule.elseActions),
      },
    ]
  })
}
const objects = (list: Json | undefined): readonly JsonObject[] =>
  (Array.isArray(list) ? list : []).filter(isObject)
