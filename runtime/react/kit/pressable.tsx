import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'

interface Props {
  readonly onPress: () => void
  readonly className?: string
  readonly label?: string
  /**
   * `link` for a row of a list, which opens something and may contain buttons; an element with the role of a button must not contain any. Default
   * button.
   */
  readonly role?: 'button' | 'link'
  readonly children: ReactNode
}

const OWN = 'button, a, input, textarea, select, label, [role="button"], [role="link"], [role="option"]'

/** A pressable area that may contain buttons: pressing one of those does not press the area. */
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
