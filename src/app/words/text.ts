import { fillPlaces } from '../../../runtime/core/errors.ts'
import type { Text } from '../../../runtime/core/ports.ts'

/** Texts of one language by code. */
export type Catalogue = Readonly<Record<string, string>>

/** The Text port over one language's catalogue; an unknown code is shown as itself (SHELL 2.4). */
export function createText(catalogue: Catalogue): Text {
  return (code, params) =>
    fillPlaces(Object.hasOwn(catalogue, code) ? (catalogue[code] ?? code) : code, params)
}
