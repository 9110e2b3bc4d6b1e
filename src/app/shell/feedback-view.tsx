import { useApp, useStore } from '../app-context.ts'
import { DialogView } from './dialog-view.tsx'

const SIGNS = { success: '✓', error: '!', loading: '', none: '' } as const

/** Toast or loading, and the visible dialog. */
export function FeedbackView() {
  const { feedback } = useApp()
  const { notice, dialog } = useStore(feedback.state)
  const hold = () => feedback.hold(true)
  const release = () => feedback.hold(false)
  return (
    <>
      <div className="toast-place" role="status" aria-live="polite">
        {notice && (
          <div key={notice.id} className="toast" data-icon={notice.icon}>
            {notice.icon !== 'none' && (
              <span className="toast-icon" aria-hidden="true">
                {SIGNS[notice.icon]}
              </span>
            )}
            {notice.text}
            {notice.act && (
              <button
                type="button"
                className="toast-act"
                onClick={notice.act.run}
                onPointerEnter={hold}
                onPointerLeave={release}
                onFocus={hold}
                onBlur={release}
              >
                {notice.act.label}
              </button>
            )}
          </div>
        )}
      </div>
      {notice?.icon === 'loading' && <div className="loading-mask" />}
      {dialog && <DialogView key={dialog.id} dialog={dialog} />}
    </>
  )
}
