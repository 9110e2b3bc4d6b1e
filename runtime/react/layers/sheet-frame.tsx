import type { ReactNode } from 'react'
import { Glyph } from '../kit/glyph.tsx'
import { useText, WindowScroll } from '../page/page-context.ts'

interface Props {
  readonly titleId: string
  readonly title: string
  /** Called by the button in the corner. */
  readonly onClose?: (() => void) | undefined
  readonly children: ReactNode
}

/** Title and scrolling body of a sheet. */
export function SheetFrame({ titleId, title, onClose, children }: Props) {
  const t = useText()
  return (
    <>
      <div className="vf-sheet-head">
        <h2 id={titleId}>{title}</h2>
        {onClose === undefined ? null : (
          <button type="button" className="vf-sheet-close" aria-label={t('widget.close')} onClick={onClose}>
            <Glyph name="cross" size={20} />
          </button>
        )}
      </div>
      <WindowScroll.Provider value={false}>
        <div className="vf-sheet-body">{children}</div>
      </WindowScroll.Provider>
    </>
  )
}
