import { useState } from 'react'
import { Glyph } from '../glyph.tsx'
import { textOf } from '../options.ts'
import type { ViewProps } from '../view.ts'

export function View({ state, body }: ViewProps) {
  const { options } = state
  const [folded, setFolded] = useState(options.folded === true)
  const note = textOf(options.note)
  const title = state.label === '' ? null : <h3>{state.label}</h3>
  return (
    <section
      className={`vf-group${options.inset === true ? ' vf-inset' : ''}${options.border === false ? ' vf-bare' : ''}`}
    >
      {title === null && note === '' ? null : (
        <header className="vf-group-head">
          {options.showFold === true ? (
            <button
              type="button"
              className="vf-fold"
              aria-expanded={!folded}
              onClick={() => setFolded(!folded)}
            >
              {title}
              <Glyph name={folded ? 'right' : 'down'} />
            </button>
          ) : (
            title
          )}
          {note === '' ? null : <span className="vf-quiet">{note}</span>}
        </header>
      )}
      {folded ? null : <div className="vf-group-body">{body}</div>}
    </section>
  )
}
