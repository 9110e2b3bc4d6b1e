import type { JsonObject } from '../../core/json.ts'
import type { Scope } from '../../core/page/scope.ts'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { Glyph } from './glyph.tsx'
import { Icon } from './icon.tsx'
import { EntryBadge, entryKey } from './menu-entry.tsx'
import '../styles/extra.css'

interface Props {
  readonly items: readonly JsonObject[]
  /** The scope of notes and badges, with `row` if the menu is in a row. */
  readonly scope: Scope
  readonly hueOf: (item: JsonObject, at: number) => string
  readonly onPress: (item: JsonObject) => void
}

/** Entries one below the other: icon, title, a note at the right, and a chevron if a tap opens something. */
export function MenuRows({ items, scope, hueOf, onPress }: Props) {
  const engine = useEngine()
  return (
    <div className="vf-menu-rows">
      {items.map((item, i) => {
        const icon = textOf(item.icon)
        const note = engine.fill(textOf(item.note), scope.row)
        return (
          <button
            key={entryKey(item)}
            type="button"
            className={`vf-menu-row vf-hue-${hueOf(item, i)}`}
            onClick={() => onPress(item)}
          >
            {icon === '' ? null : (
              <span className="vf-menu-row-icon">
                <Icon name={icon} size={20} />
              </span>
            )}
            <span className="vf-menu-row-title">{textOf(item.title)}</span>
            {note === '' ? null : <span className="vf-menu-row-note">{note}</span>}
            <EntryBadge badge={item.badge} scope={scope} />
            <Glyph name="right" />
          </button>
        )
      })}
    </div>
  )
}
