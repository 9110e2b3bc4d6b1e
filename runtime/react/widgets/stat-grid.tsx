import type { ReactNode } from 'react'
import { isObject, type Json, type JsonObject, valueAt } from '../../core/json.ts'
import { applyRule, isTruthy } from '../../core/logic/rule.ts'
import { numberOf, objectsOf, textOf } from '../options.ts'
import { useEngine } from '../page-context.ts'
import { Pressable } from '../pressable.tsx'
import { toneClass } from '../tone.ts'
import { uniqueKeys } from '../unique-keys.ts'
import { useCountUp } from '../use-count-up.ts'
import { listensTo, useFire } from '../use-fire.ts'
import { useScope } from '../use-node.ts'
import type { ViewProps } from '../view.ts'
import '../styles/extra.css'

export function View({ state }: ViewProps) {
  const scope = useScope()
  const fire = useFire(state)
  const { options } = state
  const listed = textOf(options.itemsBind)
  const items = objectsOf(listed === '' ? options.items : valueAt(scope, listed)).filter(
    (item) => item.visibleOn === undefined || isTruthy(applyRule(item.visibleOn ?? true, scope)),
  )
  const keys = uniqueKeys(items.map(({ name, label }) => textOf(name) || textOf(label)))
  return (
    <section className="vf-stats-box">
      {state.label === '' ? null : <h3>{state.label}</h3>}
      <div
        className="vf-stats"
        style={{
          gridTemplateColumns: `repeat(${Math.max(1, numberOf(options.columns, 2))}, minmax(0, 1fr))`,
        }}
      >
        {items.map((item, i) => (
          <Stat
            key={keys[i]}
            onPress={listensTo(state, 'itemClick') ? () => void fire('itemClick', [item], item) : null}
          >
            <Tile
              item={item}
              value={typeof item.bind === 'string' ? valueAt(scope, item.bind) : item.value}
              animate={options.animate !== false}
            />
          </Stat>
        ))}
      </div>
    </section>
  )
}

/** Longer numbers are written smaller, so that they stay in one line. */
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
  readonly animate: boolean
}

function Tile({ item, value, animate }: TileProps) {
  const engine = useEngine()
  const t = engine.ports.text
  const { start, now, before } = readNumbers(value)
  const shown = useCountUp(start, now, animate)
  const filter = textOf(item.filter)
  const written =
    now === null
      ? '—'
      : filter === ''
        ? String(Math.round(shown))
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
        {item.unit ? <small>{textOf(item.unit)}</small> : null}
      </span>
      {item.compare === true ? (
        <span
          className={`vf-stat-change${change === null ? '' : change < 0 ? ' vf-down' : change > 0 ? ' vf-up' : ''}`}
        >
          {change === null
            ? t('stat.noCompare')
            : t(change < 0 ? 'stat.down' : 'stat.up', { percent: Math.abs(change).toFixed(0) })}
        </span>
      ) : null}
    </>
  )
}

/** A number, or `[start, current, previous]` as the statistics call has it. */
function readNumbers(value: Json | undefined) {
  if (Array.isArray(value)) {
    const [start, now, before] = value as readonly Json[]
    return { start: asNumber(start) ?? 0, now: asNumber(now), before: asNumber(before) }
  }
  if (isObject(value)) return { start: 0, now: asNumber(value.value), before: asNumber(value.previous) }
  return { start: 0, now: asNumber(value), before: null }
}

const asNumber = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
