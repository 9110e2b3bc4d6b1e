import { fillPlaces } from '../../runtime/core/errors.ts'
import type { Text } from '../../runtime/core/ports.ts'

/** The Text port over one language's catalogue; an unknown code is shown as itself (PLATFORM 5.4). */
export function createText(catalogue: Readonly<Record<string, string>>): Text {
  return (code, params) =>
    fillPlaces(Object.hasOwn(catalogue, code) ? (catalogue[code] ?? code) : code, params)
}
