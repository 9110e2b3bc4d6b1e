import { useSyncExternalStore } from 'react'
import type { Engine } from '../../../runtime/core/engine.ts'
import { isObject, ownValue, sameJson, valueAt } from '../../../runtime/core/json.ts'
import type { NodeKey, PageNode } from '../../../runtime/core/page/page.ts'
import type { Scope } from '../../../runtime/core/page/scope.ts'
import { valueCell } from '../../../runtime/core/state/cells.ts'
import type { Run } from '../canvas/watch-script.ts'
import { hookWord, t } from '../context.ts'
import { reasonOf, valueWords } from '../rules/explain.ts'
import { fieldsOf } from '../rules/fields-of.ts'

interface WhyProps {
  readonly engine: Engine
  readonly node: PageNode
  /** The drawn instance: for a field in a row, the key with its row. */
  readonly at?: NodeKey
  readonly runs: readonly Run[]
}

/** Explains the state of a widget: what its rules read and their results, and where its value came from. */
export function Why({ engine, node, at = node.key, runs }: WhyProps) {
  const state = useSyncExternalStore(
    (listener) => engine.subscribe(at, listener),
    () => engine.node(at),
  )
  // The inputs of a rule may change without the widget: the text follows the page.
  useSyncExternalStore(
    (listener) => engine.subscribeScope(listener),
    () => engine.scope(),
  )
  const scope = scopeAt(engine, node, at)
  const fields = fieldsOf(engine)
  const lines = (['hidden', 'required', 'disabled', 'readonly'] as const)
    .filter((flag) => state[flag] || ownValue(node.widget.options, RULES[flag]) != null)
    .map((flag) => ({
      flag,
      words: state[flag] ? t(`workbench.why.${flag}`) : t(`workbench.why.not-${flag}`),
      reason: reasonOf(ownValue(node.widget.options, RULES[flag]), scope, fields),
    }))
  const value = node.field && node.subForm === null ? valueWhy(engine, node, runs) : null
  if (lines.length === 0 && value === null) return null
  return (
    <section className="wb-why" aria-label={t('workbench.why.title')}>
      {value !== null && (
        <p>
          <b>{t('workbench.why.value', { value: value.text })}</b>
          <span>{value.reason}</span>
        </p>
      )}
      {lines.map(({ flag, words, reason }) => (
        <p key={flag}>
          <b>{words}</b>
          {reason !== '' && <span>{reason}</span>}
        </p>
      ))}
    </section>
  )
}

/** The scope of a widget's rules where it is drawn; null: each row of a list has its own. */
function scopeAt(engine: Engine, node: PageNode, at: NodeKey): Scope | null {
  if (node.template !== null) return null
  const { subForm } = node
  if (subForm === null) return engine.scope()
  const index = (engine.node(subForm).rows ?? []).findIndex(({ children }) => children.includes(at))
  const rows = ownValue(engine.scope().form, engine.page.nodes.get(subForm)?.name ?? '')
  const row = Array.isArray(rows) ? rows[index] : undefined
  return isObject(row) ? { ...engine.scope(), row } : null
}

/** The value of a field and its origin; null for an empty one. */
function valueWhy(
  engine: Engine,
  node: PageNode,
  runs: readonly Run[],
): { readonly text: string; readonly reason: string } | null {
  const { form, data } = engine.scope()
  const value = ownValue(form, node.name)
  if (value === undefined || value === null || value === '') return null
  const valueText = valueWords(value, `form.${node.name}`, fieldsOf(engine))
  const cell = valueCell(node.name)
  const run = runs.find(({ writes }) => writes.some((one) => one.cell === cell && sameJson(one.value, value)))
  if (run !== undefined) {
    const hook = run.hooks[0]?.hook ?? ''
    return {
      text: valueText,
      reason: t('workbench.why.byHook', {
        hook: hookWord(hook),
        time: new Date(run.at).toLocaleTimeString(),
      }),
    }
  }
  for (const [name, { fill }] of engine.page.dataSources) {
    const answer = ownValue(data, name)
    const record = typeof fill !== 'string' ? undefined : fill === '' ? answer : valueAt(answer, fill)
    if (sameJson(ownValue(record, node.name) ?? null, value))
      return { text: valueText, reason: t('workbench.why.bySource', { name }) }
  }
  const isDefault = sameJson(node.option('defaultValue') ?? null, value)
  return { text: valueText, reason: t(isDefault ? 'workbench.why.byDefault' : 'workbench.why.byHand') }
}

const RULES = {
  hidden: 'visibleOn',
  required: 'requiredOn',
  disabled: 'disabledOn',
  readonly: 'readonlyOn',
} as const
