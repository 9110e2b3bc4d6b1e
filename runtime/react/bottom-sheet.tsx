import { type ReactNode, useId } from 'react'
import { Glyph } from './glyph.tsx'
import { Overlay } from './overlay.tsx'
import { useText, WindowScroll } from './page-context.ts'

interface Props {
  /** What a picker's button points to. */
  readonly id?: string | undefined
  readonly open: boolean
  readonly title: string
  readonly onClose: () => void
  readonly closable?: boolean
  readonly height?: string | undefined
  readonly children: ReactNode
}

/** A panel from the bottom of the screen; takes the focus while it is open and gives it back. Escape closes it. */
export function BottomSheet({ id: sheetId, open, title, onClose, closable = true, height, children }: Props) {
  const t = useText()
  const id = useId()
  return (
    <Overlay
      id={sheetId}
      open={open}
      side="bottom"
      onClose={onClose}
      maskCloses={closable}
      escapeCloses={closable}
      className="vf-sheet vf-sheet-panel"
      style={height === undefined ? undefined : { height }}
      naming={{ 'aria-labelledby': id }}
    >
      <div className="vf-sheet-head">
        <h2 id={id}>{title}</h2>
        {closable ? (
          <button type="button" className="vf-sheet-close" aria-label={t('widget.close')} onClick={onClose}>
            <Glyph name="cross" size={20} />
          </button>
        ) : null}
      </div>
      <WindowScroll.Provider value={false}>
        <div className="vf-sheet-body">{children}</div>
      </WindowScroll.Provider>
    </Overlay>
  )
}
