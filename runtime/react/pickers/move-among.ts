import type { KeyboardEvent } from 'react'

const TARGETS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Keys in a list of choices: the arrows move by one, Home and End to the first and the last. */
export function moveAmong(event: KeyboardEvent<HTMLElement>): void {
  const target = TARGETS[event.key]
  if (target === undefined) return
  const choices = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]:not(:disabled)')]
  const at = choices.indexOf(document.activeElement as HTMLElement)
  event.preventDefault()
  choices[target(at, choices.length)]?.focus()
}
