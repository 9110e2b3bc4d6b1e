import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'

interface Props {
  readonly onPress: () => void
  readonly className?: string
  readonly label?: string
  readonly children: ReactNode
}

const OWN = 'button, a, input, textarea, select, label, [role="button"], [role="option"]'

/** A whole area that can be pressed, and may hold buttons of its own: a press on one of those is theirs alone. */
export function Pressable({ onPress, className, label, children }: Props) {
  const isOwn = (event: MouseEvent | KeyboardEvent): boolean => {
    const inner = event.target instanceof Element ? event.target.closest(OWN) : null
    return inner !== null && inner !== event.currentTarget && event.currentTarget.contains(inner)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <button> may not hold other buttons, and cards do
    <div
      role="button"
      tabIndex={0}
      className={`vf-pressable${className ? ` ${className}` : ''}`}
      aria-label={label}
      onClick={(event) => {
        if (!isOwn(event)) onPress()
      }}
      onKeyDown={(event) => {
        if ((event.key === 'Enter' || event.key === ' ') && !isOwn(event)) {
          event.preventDefault()
          onPress()
        }
      }}
    >
      {children}
    </div>
  )
}
