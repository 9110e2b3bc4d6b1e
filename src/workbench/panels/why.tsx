import { useSyncExternalStore } from 'react'
import type { Engine } from '../../../runtime/core/engine.ts'
import { ownValue } from '../../../runtime/core/json.ts'
import type { PageNode } from '../../../runtime/core/page/page.ts'
import { t } from '../context.ts'
import { reasonOf } from '../rules/explain.ts'
import { fieldsOf } from '../rules/fields-of.ts'

/** Why the selected widget is as it is on the canvas: what its rules read and say now. */
export function Why({ engine, node }: { readonly engine: Engine; readonly node: PageNode }) {
  const state = useSyncExternalStore(
    (listener) => engine.subscribe(node.key, listener),
    () => engine.node(node.key),
  )
  // What a rule reads may change without the widget: the sentence follows the page.
  useSyncExternalStore(
    (listener) => engine.subscribeScope(listener),
    () => engine.scope(),
  )
  const fields = fieldsOf(engine)
  const lines = (['hidden', 'required', 'disabled', 'readonly'] as const)
    .filter((flag) => state[flag] || ownValue(node.widget.options, RULES[flag]) != null)
    .map((flag) => ({
      flag,
      words: state[flag] ? t(`workbench.why.${flag}`) : t(`workbench.why.not-${flag}`),
      reason: reasonOf(ownValue(node.widget.options, RULES[flag]), engine.scope(), fields),
    }))
  if (lines.length === 0) return null
  return (
    <section className="wb-why" aria-label={t('workbench.why.title')}>
      {lines.map(({ flag, words, reason }) => (
        <p key={flag}>
          <b>{words}</b>
          {reason !== '' && <span>{reason}</span>}
        </p>
      ))}
    </section>
  )
}

const RULES = {
  hidden: 'visibleOn',
  required: 'requiredOn',
  disabled: 'disabledOn',
  readonly: 'readonlyOn',
} as const
