import { useContext, useEffect, useState } from 'react'
import { Glyph } from '../kit/glyph.tsx'
import { GroupHead } from '../page/group-head.ts'
import { textOf } from '../page/options.ts'
import { usePage } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state, row, body }: ViewProps) {
  const { engine, revealer } = usePage()
  const fire = useFire(state, row)
  const Head = useContext(GroupHead)
  const { key, options } = state
  /** In a list each row has its own open state; the page has only one for all of them. */
  const [inRow, setInRow] = useState<boolean | null>(null)
  const folded = inRow ?? state.folded
  const toggle = () => {
    if (row === undefined) engine.setOption(key, 'folded', !folded)
    else setInRow(!folded)
    void fire('toggle', [folded])
  }
  useEffect(
    () => revealer.register(key, () => engine.setOption(key, 'folded', false)),
    [revealer, engine, key],
  )
  const note = textOf(options.note)
  const title = state.label === '' ? null : <h3>{state.label}</h3>
  const canFold = options.showFold === true
  // If all children are hidden, the group with its title is hidden too.
  const holds = state.children.length > 0
  if (folded && !canFold) return null
  return (
    <section
      className={`vf-group${options.inset === true ? ' vf-inset' : ''}${options.border === false ? ' vf-bare' : ''}`}
    >
      {title === null && note === '' ? null : (
        <header className="vf-group-head">
          {canFold ? (
            <button type="button" className="vf-fold" aria-expanded={!folded} onClick={toggle}>
              {title}
              <Glyph name={folded ? 'right' : 'down'} />
            </button>
          ) : (
            title
          )}
          {note === '' ? null : <span className="vf-quiet">{note}</span>}
          {Head === null ? null : <Head group={state} />}
        </header>
      )}
      {folded ? null : <div className={`vf-group-body${holds ? ' vf-holds' : ''}`}>{body}</div>}
    </section>
  )
}
