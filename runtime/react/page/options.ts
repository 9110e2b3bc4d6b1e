import type { Json, JsonObject } from '../../core/json.ts'

/** An option as text: '' for null, booleans, lists and objects. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** An option as a number; numeric texts count. */
export function numberOf(value: Json | undefined, otherwise: number): number {
  const read = typeof value === 'string' && value.trim() !== '' ? Number.parseFloat(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : otherwise
}

/** An option as a list of objects; other items are left out. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(value)) return []
  return (value as readonly Json[]).filter(
    (part): part is JsonObject => typeof part === 'object' && part !== null && !Array.isArray(part),
  )
}

/** A length in px or as written in CSS; undefined if absent. */
export function lengthOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return `${value}px`
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return /^\d+(\.\d+)?$/.test(value.trim()) ? `${value.trim()}px` : value
}
