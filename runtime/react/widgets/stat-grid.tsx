import type { CSSProperties, ReactNode } from 'react'
import type { Engine } from '../../core/engine.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../core/json.ts'
import { applyRule, isTruthy } from '../../core/logic/rule.ts'
import { Pressable } from '../kit/pressable.tsx'
import { toneClass } from '../kit/tone.ts'
import { uniqueKeys } from '../kit/unique-keys.ts'
import { useCountUp } from '../kit/use-count-up.ts'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { useBoundSource } from '../rows/bound-source.ts'
import '../styles/extra.css'

export function View({ state }: ViewProps) {
  const scope = useScope()
  const fire = useFire(state)
  const { options } = state
  const listed = textOf(options.itemsBind)
  const items = objectsOf(listed === '' ? options.items : valueAt(scope, listed)).filter(
    (item) => item.visibleOn === undefined || isTruthy(applyRule(item.visibleOn ?? true, scope)),
  )
  const engine = useEngine()
  const source = useBoundSource(engine, listed || textOf(items[0]?.bind))
  const press = (item: JsonObject) => {
    const facts = listed === '' ? filledIn(item, engine) : item
    void fire('itemClick', [facts], facts)
  }
  const keys = uniqueKeys(items.map(({ name, label }) => textOf(name) || textOf(label)))
  return (
    <section className="vf-stats-box">
      {state.label === '' ? null : <h3>{state.label}</h3>}
      {source.state === 'failed' && (
        <button type="button" className="vf-button vf-text vf-small" onClick={source.retry}>
          {source.refusal === ''
            ? engine.ports.text('list.more.failed')
            : `${source.refusal} ${engine.ports.text('list.retry')}`}
        </button>
      )}
      <div
        className={`vf-stats${options.compact === true ? ' vf-compact' : ''}`}
        style={{ '--vf-columns': Math.max(1, numberOf(options.columns, 2)) } as CSSProperties}
      >
        {items.map((item, i) => (
          <Stat key={keys[i]} onPress={listensTo(state, 'itemClick') ? () => press(item) : null}>
            <Tile
              item={item}
              value={typeof item.bind === 'string' ? valueAt(scope, item.bind) : item.value}
              spark={typeof item.spark === 'string' ? valueAt(scope, item.spark) : undefined}
              animate={options.animate !== false}
            />
          </Stat>
        ))}
      </div>
    </section>
  )
}

/** An item with the placeholders of its texts filled in; items that come as data are not templates. */
function filledIn(item: JsonObject, engine: Engine): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [key, typeof value === 'string' ? engine.fill(value) : value]),
  )
}

/** Length from which on numbers are in a smaller font, so that they stay in one line. */
const LONG = 9

interface StatProps {
  readonly onPress: (() => void) | null
  readonly children: ReactNode
}

function Stat({ onPress, children }: StatProps) {
  if (onPress === null) return <div className="vf-stat">{children}</div>
  return (
    <Pressable className="vf-stat" onPress={onPress}>
      {children}
    </Pressable>
  )
}

interface TileProps {
  readonly item: JsonObject
  readonly value: Json | undefined
  /** Values of earlier periods, up to the current one. */
  readonly spark: Json | undefined
  readonly animate: boolean
}

function Tile({ item, value, spark, animate }: TileProps) {
  const engine = useEngine()
  const t = engine.ports.text
  const { start, now, before } = readNumbers(value)
  const filter = textOf(item.filter)
  // Amounts do not count up: a value in between would be a wrong amount.
  const shown = useCountUp(start, now, animate && filter === '')
  const written =
    now === null
      ? '—'
      : filter === ''
        ? String(shown === now ? now : Math.round(shown))
        : engine.fill(`{{ row.n | ${filter} }}`, { n: shown })
  const change =
    item.compare === true && now !== null && before !== null && before !== 0
      ? ((now - before) / before) * 100
      : null
  return (
    <>
      <span className="vf-stat-label">{textOf(item.label)}</span>
      <span className={`vf-stat-number ${toneClass(item.tone)}${written.length > LONG ? ' vf-long' : ''}`}>
        {written}
        {item.unit && now !== null ? <small>{textOf(item.unit)}</small> : null}
      </span>
      {item.compare === true ? (
        <span className="vf-stat-change">
          {change === null
            ? t('stat.noCompare')
            : t(change < 0 ? 'stat.down' : 'stat.up', { percent: Math.abs(change).toFixed(0) })}
        </span>
      ) : null}
      <Spark values={Array.isArray(spark) ? spark.flatMap((one) => asNumber(one) ?? []) : []} />
    </>
  )
}

/** Coordinate system of the sparkline; it scales to its space. */
const SPARK = { width: 100, height: 20, edge: 2 }

/** The trend as a small line; hidden from screen readers, since the numbers are elsewhere. */
function Spark({ values }: { readonly values: readonly number[] }) {
  const highest = Math.max(...values)
  const lowest = Math.min(...values)
  if (values.length < 2 || highest === lowest) return null
  const { width, height, edge } = SPARK
  const points = values.map((value, i) => {
    const x = (i * width) / (values.length - 1)
    return `${x.toFixed(1)},${(height - edge - ((value - lowest) / (highest - lowest)) * (height - 2 * edge)).toFixed(1)}`
  })
  return (
    <svg
      className="vf-spark"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}

/** A number, or `[start, current, previous]` as the statistics call returns it. */
function readNumbers(value: Json | undefined) {
  if (Array.isArray(value)) {
    const [start, now, before] = value as readonly Json[]
    return { start: asNumber(start) ?? 0, now: asNumber(now), before: asNumber(before) }
  }
  if (isObject(value)) return { start: 0, now: asNumber(value.value), before: asNumber(value.previous) }
  return { start: 0, now: asNumber(value), before: null }
}

const asNumber = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
