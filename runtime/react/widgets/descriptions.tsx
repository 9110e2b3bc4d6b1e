import { isObject, type Json, type JsonObject, valueAt } from '../../core/json.ts'
import { applyRule, isTruthy } from '../../core/logic/rule.ts'
import { itemsOf } from '../../core/model/items.ts'
import type { OptionItem } from '../../core/page/widget-spec.ts'
import { canDial, colouredItems, labelsOf, plainText } from '../../core/widgets/values.ts'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { toneClass } from '../kit/tone.ts'
import { uniqueKeys } from '../kit/unique-keys.ts'
import { ChosenTags } from '../kit/word-tag.tsx'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

const ROOTS = new Set(['data', 'row', 'form', 'params', 'user', 'dict'])

export function View({ state, row }: ViewProps) {
  const engine = useEngine()
  const scope = useScope()
  const fire = useFire(state, row)
  const { options } = state
  const at = row === undefined ? scope : { ...scope, row }
  const emptyText = textOf(options.emptyText) || '—'
  const read = (item: JsonObject): string => {
    const written = textOf(item.text)
    // Text that comes as data is not a template.
    if (listed !== '') return written
    if (written !== '') return engine.fill(written, row ?? (isObject(state.value) ? state.value : undefined))
    const value = boundValue(textOf(item.bind), state.value, at)
    const items = choicesOf(item)
    return items.length > 0 ? labelsOf(value ?? null, items) : plainText(value)
  }
  const choicesOf = ({ dict = null, optionItems = null }: JsonObject) =>
    dict === null && optionItems === null ? [] : itemsOf({ dict, optionItems }, scope.dict)
  const chosenOf = (item: JsonObject) =>
    colouredItems(boundValue(textOf(item.bind), state.value, at) ?? null, choicesOf(item))
  const listed = textOf(options.itemsBind)
  const items = objectsOf(listed === '' ? options.items : (valueAt(scope, listed) ?? []))
  const rows = items.flatMap((item) => {
    if (item.visibleOn !== undefined && item.visibleOn !== null && !isTruthy(applyRule(item.visibleOn, at)))
      return []
    const text = read(item)
    const dropped = text === '' && (item.hideEmpty === true || options.hideEmpty === true)
    return dropped ? [] : [{ item, text }]
  })
  const keys = uniqueKeys(rows.map(({ item }) => textOf(item.label) + textOf(item.bind)))
  return (
    <section className="vf-descriptions-box">
      {state.label === '' ? null : <h3>{state.label}</h3>}
      <dl
        className={`vf-descriptions vf-${options.size === 'compact' ? 'compact' : 'normal'}${options.columns === 2 ? ' vf-two' : ''}`}
      >
        {rows.map(({ item, text }, i) => (
          <div key={keys[i]}>
            <dt style={{ width: numberOf(options.labelWidth, 88) }}>
              {listed === '' ? engine.fill(textOf(item.label), row) : textOf(item.label)}
            </dt>
            <dd className={toneClass(item.tone)}>
              <Value
                item={item}
                text={text}
                chosen={chosenOf(item)}
                emptyText={emptyText}
                onDial={() => void fire('dial', [text])}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Value({
  item,
  text,
  chosen,
  emptyText,
  onDial,
}: {
  readonly item: JsonObject
  readonly text: string
  /** Choices with colours. */
  readonly chosen: readonly OptionItem[] | null
  readonly emptyText: string
  readonly onDial: () => void
}) {
  const engine = useEngine()
  const { text: t, device, navigator, feedback } = engine.ports
  if (text === '') return <span className="vf-quiet">{emptyText}</span>
  const url = textOf(item.url)
  const copy = async () => {
    const done = await device.copy(text)
    feedback.toast({ text: t(done ? 'widget.copied' : 'widget.copyFailed') })
  }
  return (
    <>
      {item.dial === true && canDial(text) ? (
        <button
          type="button"
          className="vf-link"
          onClick={() => {
            device.dial(text)
            onDial()
          }}
        >
          {text}
          <MoreGlyph name="phone" />
        </button>
      ) : url === '' ? (
        <span>{chosen === null ? text : <ChosenTags items={chosen} />}</span>
      ) : (
        <button type="button" className="vf-link" onClick={() => navigator.open(engine.fill(url))}>
          {text}
        </button>
      )}
      {item.copy === true ? (
        <button
          type="button"
          className="vf-icon-button"
          aria-label={t('widget.copy', { label: textOf(item.label) })}
          onClick={() => void copy()}
        >
          <MoreGlyph name="copy" />
        </button>
      ) : null}
    </>
  )
}

/** The value at a path, from a root of the scope or relative to the widget's own value. */
function boundValue(path: string, value: Json, scope: object): Json | undefined {
  if (path === '') return undefined
  const [root = ''] = path.split('.')
  return ROOTS.has(root) ? valueAt(scope, path) : valueAt(value, path)
}
