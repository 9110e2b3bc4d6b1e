import type { JsonObject } from '../../core/json.ts'
import { applyRule, isTruthy } from '../../core/logic/rule.ts'
import { Icon } from '../kit/icon.tsx'
import { EntryBadge, entryKey } from '../kit/menu-entry.tsx'
import { MenuRows } from '../kit/menu-rows.tsx'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

const TONES = ['primary', 'success', 'warning', 'violet', 'teal', 'danger'] as const

const hueOf = (item: JsonObject, at: number): string => textOf(item.tone) || String(TONES[at % TONES.length])

export function View({ state, row }: ViewProps) {
  const { navigator } = useEngine().ports
  const scope = useScope()
  const fire = useFire(state, row)
  const { options } = state
  const bound = objectsOf(state.value ?? undefined)
  const at = row === undefined ? scope : { ...scope, row }
  const items = (bound.length > 0 ? bound : objectsOf(options.items)).filter(
    (item) => item.visibleOn === undefined || isTruthy(applyRule(item.visibleOn ?? true, at)),
  )
  const press = async (item: JsonObject) => {
    await fire('itemClick', [item], item)
    const path = textOf(item.path)
    if (path.startsWith('/')) navigator.open(path)
  }
  return (
    <section className={`vf-menu-box${options.round === true ? ' vf-menu-round' : ''}`}>
      {state.label === '' ? null : <h3>{state.label}</h3>}
      {items.length === 0 && options.empty ? <p className="vf-quiet">{textOf(options.empty)}</p> : null}
      {options.layout === 'rows' ? (
        <MenuRows items={items} scope={at} hueOf={hueOf} onPress={(item) => void press(item)} />
      ) : (
        <div
          className="vf-menu"
          style={{
            gridTemplateColumns: `repeat(${Math.max(1, numberOf(options.columns, 4))}, minmax(0, 1fr))`,
          }}
        >
          {items.map((item, i) => (
            <button
              key={entryKey(item)}
              type="button"
              className={`vf-menu-item vf-hue-${hueOf(item, i)}`}
              onClick={() => void press(item)}
            >
              <span className="vf-menu-icon">
                <Icon name={textOf(item.icon) || 'app'} size={24} />
                <EntryBadge badge={item.badge} scope={at} />
              </span>
              <span>{textOf(item.title)}</span>
            </button>
          ))}
        </div>
      )}
    </section>
  )
}
