import Popup from 'antd-mobile/es/components/popup'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Glyph } from './glyph.tsx'
import { useText, WindowScroll } from './page-context.ts'

interface Props {
  readonly open: boolean
  readonly title: string
  readonly onClose: () => void
  readonly closable?: boolean
  readonly height?: string | undefined
  readonly children: ReactNode
}

/** A panel from the bottom of the screen; takes the focus while it is open and gives it back. Escape closes it. */
export function BottomSheet({ open, title, onClose, closable = true, height, children }: Props) {
  const t = useText()
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [open])
  return (
    <Popup
      visible={open}
      onMaskClick={closable ? onClose : () => {}}
      position="bottom"
      bodyClassName="vf-sheet"
      getContainer={() => document.body}
      destroyOnClose
    >
      <div
        ref={panel}
        className="vf-sheet-panel"
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        tabIndex={-1}
        style={height === undefined ? undefined : { height }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && closable) onClose()
        }}
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
      </div>
    </Popup>
  )
}
