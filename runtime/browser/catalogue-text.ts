import { fillPlaces } from '../core/errors.ts'
import type { Text } from '../core/ports.ts'

/** Texts of one language by code. */
export type Catalogue = Readonly<Record<string, string>>

/** The Text port over one language's catalogue; an unknown code is shown as itself, so that it can be found. */
export function createText(catalogue: Catalogue): Text {
  return (code, params) =>
    fillPlaces(Object.hasOwn(catalogue, code) ? (catalogue[code] ?? code) : code, params)
}
