import { type ReactNode, useEffect, useRef } from 'react'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { t } from '../context.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly foot?: ReactNode
  readonly wide?: boolean
  /** Wide enough for two pages side by side. */
  readonly both?: boolean
}

/** A modal dialog above the workbench; the browser keeps the focus inside and closes it on Escape. */
export function Dialog({ title, onClose, children, foot, wide = false, both = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`wb-dialog${wide ? ' wb-dialog-wide' : ''}${both ? ' wb-dialog-both' : ''}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" className="wb-icon" aria-label={t('workbench.close')} onClick={onClose}>
          <Glyph name="cross" />
        </button>
      </header>
      <div className="wb-dialog-body">{children}</div>
      {foot !== undefined && <footer>{foot}</footer>}
    </dialog>
  )
}
