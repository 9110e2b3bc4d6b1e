interface Props {
  readonly text: string
  readonly image?: string
  /** Label of a button; '' for none. */
  readonly action?: string
  readonly onAction?: () => void
}

const PICTURES: Readonly<Record<string, string>> = {
  box: 'M20 34l28-12 28 12v30L48 76 20 64zM20 34l28 12 28-12M48 46v30',
  search: 'M42 22a22 22 0 100 44 22 22 0 000-44zM58 60l16 16M34 44h16',
  network: 'M20 42c16-14 40-14 56 0M30 54c10-9 26-9 36 0M40 65c5-4 11-4 16 0M48 74v1M24 24l48 52',
  alert: 'M48 20L78 74H18zM48 40v16M48 64v1',
  lock: 'M28 44h40v32H28zM36 44V34a12 12 0 0124 0v10M48 56v8',
}

/** An empty state: a picture, a sentence, and what the user can do. */
export function EmptyNote({ text, image = 'box', action = '', onAction }: Props) {
  return (
    <div className="vf-empty">
      <svg width="96" height="96" viewBox="0 0 96 96" aria-hidden="true" focusable="false">
        <circle cx="48" cy="48" r="44" fill="var(--vf-fill)" />
        <path
          d={PICTURES[image] ?? PICTURES.box}
          fill="none"
          stroke="var(--vf-line-strong)"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <p>{text}</p>
      {action === '' ? null : (
        <button type="button" className="vf-button vf-primary vf-plain vf-small" onClick={onAction}>
          {action}
        </button>
      )}
    </div>
  )
}
