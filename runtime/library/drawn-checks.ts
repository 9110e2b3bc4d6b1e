/** All that could be focused or stands for a control; a fieldset stands for those in it. */
export const controlsOf = (root: HTMLElement): readonly HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>('input, textarea, select, button, fieldset, [role], [tabindex]'),
]

/** True for what can be focused and used. */
const isOpen = (control: HTMLElement): boolean =>
  control.tabIndex >= 0 &&
  !control.matches(':disabled, [aria-disabled="true"], [aria-readonly="true"], [readonly]')

/** Each control that can be used and that a screen reader could not name. */
export function labelled(root: HTMLElement): readonly string[] {
  return controlsOf(root)
    .filter((control) => isOpen(control) && nameOf(control) === '')
    .map((control) => `<${control.tagName.toLowerCase()}> has no accessible name`)
}

/** The accessible name of a control, as far as it is given by attributes, labels and its own words. */
function nameOf(control: HTMLElement): string {
  const by = (control.getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join('')
  const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
  const label = control.id === '' ? null : document.querySelector(`label[for="${CSS.escape(control.id)}"]`)
  const words = [
    by,
    control.getAttribute('aria-label'),
    label?.textContent,
    control.textContent,
    control.title,
  ]
  return [...words, ...labels.map((one) => one.textContent)].find((word) => word?.trim())?.trim() ?? ''
}

/** Disabled, nothing takes a value. */
export const shut = (root: HTMLElement): readonly string[] =>
  controlsOf(root).some((control) => control.matches('input, textarea, select') && isOpen(control))
    ? ['a control can still be changed']
    : []

/** Nothing stands out of the root to the side. */
export const inside = (root: HTMLElement): readonly string[] =>
  root.scrollWidth > root.clientWidth + 1 ? [`stands out by ${root.scrollWidth - root.clientWidth} px`] : []
