import { type MouseEvent, useEffect, useRef } from 'react'
import { useLayer } from '../../../runtime/react/layers/use-layer.ts'
import { useApp } from '../app-context.ts'
import type { Dialog } from '../device/feedback.ts'

/** A modal or action sheet as the browser's own dialog: it traps the focus and is above everything (SHELL 3). */
export function DialogView({ dialog }: { readonly dialog: Dialog }) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = element.current
    shown?.showModal()
    // Enter confirms (SHELL 3); by default the browser would focus the first button, or the scrolling list.
    shown?.querySelector<HTMLElement>('.modal-confirm, .sheet-items button')?.focus()
    return () => shown?.close()
  }, [])
  const mustConfirm = dialog.kind === 'modal' && dialog.showCancel === false
  const cancel = () => {
    if (dialog.kind === 'sheet') dialog.answer(-1)
    else if (!mustConfirm) dialog.answer(false)
  }
  useLayer(true, cancel)
  const tapOutside = (event: MouseEvent) => {
    // A tap on the backdrop closes a sheet and has no effect on a modal.
    if (dialog.kind === 'sheet' && event.target === element.current) cancel()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, which the browser turns into `cancel`
    <dialog
      ref={element}
      className={dialog.kind}
      aria-labelledby="dialog-title"
      onClick={tapOutside}
      onCancel={(event) => {
        event.preventDefault()
        cancel()
      }}
      onClose={() => {
        // A second Escape or back closes the dialog regardless of `cancel`: one that must be confirmed is opened again.
        if (mustConfirm) element.current?.showModal()
        else cancel()
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
      {dialog.title !== undefined && <h2 id="dialog-title">{dialog.title}</h2>}
      <p id={dialog.title === undefined ? 'dialog-title' : undefined}>{dialog.content}</p>
      <div className="modal-buttons">
        {dialog.showCancel !== false && (
          <button type="button" onClick={() => dialog.answer(false)}>
            {dialog.cancelText ?? text('feedback.cancel')}
          </button>
        )}
        <button type="submit" className="modal-confirm">
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
        {[...dialog.items.entries()].map(([index, item]) => (
          <button key={index} type="button" onClick={() => dialog.answer(index)}>
            {item}
          </button>
        ))}
      </div>
      <button type="button" className="sheet-cancel" onClick={onCancel}>
        {dialog.cancelText ?? text('feedback.cancel')}
      </button>
    </div>
  )
}
