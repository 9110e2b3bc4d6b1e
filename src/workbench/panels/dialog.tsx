import { type ReactNode, useEffect, useRef } from 'react'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { t } from '../context.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly foot?: ReactNode
  readonly wide?: boolean
}

/** A question above the workbench; the browser keeps the focus in it and closes it by Escape. */
export function Dialog({ title, onClose, children, foot, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const own = dialog.current
    own?.showModal()
    return () => own?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={wide ? 'wb-dialog wb-dialog-wide' : 'wb-dialog'}
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
