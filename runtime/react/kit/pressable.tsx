import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'

interface Props {
  readonly onPress: () => void
  readonly className?: string
  readonly label?: string
  /** A row of a list leads somewhere and may hold buttons, which nothing with the role of a button may. Default button. */
  readonly role?: 'button' | 'link'
  readonly children: ReactNode
}

const OWN = 'button, a, input, textarea, select, label, [role="button"], [role="link"], [role="option"]'

/** A whole area that can be pressed, and may hold buttons of its own: a press on one of those is theirs alone. */
export function Pressable({ onPress, className, label, role = 'button', children }: Props) {
  const isOwn = (event: MouseEvent | KeyboardEvent): boolean => {
    const inner = event.target instanceof Element ? event.target.closest(OWN) : null
    return inner !== null && inner !== event.currentTarget && event.currentTarget.contains(inner)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the role comes as a property
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name
    <div
      role={role}
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
