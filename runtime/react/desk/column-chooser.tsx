import { useState } from 'react'
import {
  type ColumnChoice,
  type ListColumn,
  movedColumn,
  toggledColumn,
  UNCHOSEN,
} from '../../core/widgets/columns.ts'
import { Glyph } from '../kit/glyph.tsx'
import { Overlay } from '../layers/overlay.tsx'
import { SheetFrame } from '../layers/sheet-frame.tsx'
import { useText } from '../page/page-context.ts'

interface Props {
  readonly all: readonly ListColumn[]
  readonly shown: readonly ListColumn[]
  readonly choice: ColumnChoice
  readonly onChoose: (choice: ColumnChoice) => void
}

const TITLE = 'vf-columns-title'

/** A menu for the columns of a table and their order. */
export function ColumnChooser({ all, shown, choice, onChoose }: Props) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const isShown = new Set(shown.map(({ name }) => name))
  const listed = [...shown, ...all.filter(({ name }) => !isShown.has(name))]
  const setNames = (names: readonly string[]) => onChoose({ ...choice, names })
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows are placed one by one, which a table cannot; its button takes the focus
    <div role="columnheader" aria-label={t('list.columns')} className="vf-record-last">
      <button
        type="button"
        className="vf-record-choose"
        aria-label={t('list.columns')}
        title={t('list.columns')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Glyph name="plus" />
      </button>
      <Overlay
        open={open}
        side="right"
        onClose={() => setOpen(false)}
        className="vf-sheet-panel"
        naming={{ 'aria-labelledby': TITLE }}
      >
        <SheetFrame titleId={TITLE} title={t('list.columns')} onClose={() => setOpen(false)}>
          <ul className="vf-columns">
            {listed.map(({ name, label, primary }) => (
              <li key={name}>
                <label>
                  <input
                    type="checkbox"
                    checked={isShown.has(name)}
                    disabled={primary}
                    onChange={() => setNames(toggledColumn(shown, name))}
                  />
                  {label}
                </label>
                {isShown.has(name) && !primary ? (
                  <>
                    <button
                      type="button"
                      aria-label={t('list.columns.before', { name: label })}
                      onClick={() => setNames(movedColumn(shown, name, -1))}
                    >
                      ↑
                    </button>
                    <button
                      type="button"
                      aria-label={t('list.columns.after', { name: label })}
                      onClick={() => setNames(movedColumn(shown, name, 1))}
                    >
                      ↓
                    </button>
                  </>
                ) : null}
              </li>
            ))}
          </ul>
          <button type="button" className="vf-button vf-text" onClick={() => onChoose(UNCHOSEN)}>
            {t('list.columns.reset')}
          </button>
        </SheetFrame>
      </Overlay>
    </div>
  )
}
