import { type MouseEvent, useEffect, useRef } from 'react'
import { useApp } from '../app-context.ts'
import type { Dialog } from '../feedback.ts'

/** A modal or an action sheet as the browser's own dialog: it keeps the focus inside and stands above everything (PLATFORM 6). */
export function DialogView({ dialog }: { readonly dialog: Dialog }) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = element.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  const cancel = () => {
    if (dialog.kind === 'sheet') dialog.answer(-1)
    else if (dialog.showCancel !== false) dialog.answer(false)
  }
  const tapOutside = (event: MouseEvent) => {
    // A tap on the mask closes a sheet and does nothing to a modal.
    if (dialog.kind === 'sheet' && event.target === element.current) cancel()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for it is Escape, which the browser turns into `cancel`
    <dialog
      ref={element}
      className={dialog.kind}
      aria-labelledby="dialog-title"
      onClick={tapOutside}
      onCancel={(event) => {
        event.preventDefault()
        cancel()
      }}
    >
      {dialog.kind === 'modal' ? <Modal dialog={dialog} /> : <Sheet dialog={dialog} onCancel={cancel} />}
    </dialog>
  )
}

function Modal({ dialog }: { readonly dialog: Extract<Dialog, { kind: 'modal' }> }) {
  const { text } = useApp()
  return (
    <form
      className="modal-body"
      onSubmit={(event) => {
        event.preventDefault()
        dialog.answer(true)
      }}
    >
      <h2 id="dialog-title">{dialog.title ?? dialog.content}</h2>
      {dialog.title !== undefined && <p>{dialog.content}</p>}
      <div className="modal-buttons">
        {dialog.showCancel !== false && (
          <button type="button" onClick={() => dialog.answer(false)}>
            {dialog.cancelText ?? text('feedback.cancel')}
          </button>
        )}
        {/* biome-ignore lint/a11y/noAutofocus: Enter confirms (PLATFORM 6) */}
        <button type="submit" className="modal-confirm" autoFocus>
          {dialog.confirmText ?? text('feedback.confirm')}
        </button>
      </div>
    </form>
  )
}

interface SheetProps {
  readonly dialog: Extract<Dialog, { kind: 'sheet' }>
  readonly onCancel: () => void
}

function Sheet({ dialog, onCancel }: SheetProps) {
  const { text } = useApp()
  return (
    <div className="sheet-body">
      <h2 id="dialog-title" hidden={dialog.title === undefined}>
        {dialog.title}
      </h2>
      <div className="sheet-items">
        {dialog.items.map((item, index) => (
          <button key={item} type="button" onClick={() => dialog.answer(index)}>
            {item}
          </button>
        ))}
      </div>
      <button type="button" className="sheet-cancel" onClick={onCancel}>
        {text('feedback.cancel')}
      </button>
    </div>
  )
}
