import { useApp } from '../app-context.ts'
import { useModal } from './palette.tsx'

export const PALETTE_KEY = 'Ctrl K'

/** Keys and their effects, in the order of a working day. */
const KEYS = [
  [PALETTE_KEY, 'keys.palette'],
  ['/', 'keys.search'],
  ['j  k', 'keys.rows'],
  ['Enter', 'keys.open'],
  ['x', 'keys.pick'],
  ['e', 'keys.edit'],
  ['Ctrl Enter', 'keys.submit'],
  ['Esc', 'keys.leave'],
  ['?', 'keys.map'],
] as const

/** The keyboard map (?). */
export function KeyMap({ onClose }: { readonly onClose: () => void }) {
  const { text } = useApp()
  const dialog = useModal(onClose)
  return (
    <dialog ref={dialog} className="palette" aria-labelledby="keys-title" onCancel={onClose}>
      <h2 id="keys-title">{text('keys.title')}</h2>
      <dl className="key-map">
        {KEYS.map(([key, code]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text(code)}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        {text('keys.close')}
      </button>
    </dialog>
  )
}
