import { type BenchField, type BenchForm, INVALID, linkedValue, REQUIRED } from './forms.ts'

export type Value = string | number | boolean

interface Slot {
  readonly value: Value
  readonly error: string
}

/** The state of a hand-written page: a slot and listeners per field. */
export interface SmallStore {
  get(key: string): Slot
  set(key: string, value: Value): void
  subscribe(key: string, listener: () => void): () => void
  validate(): number
}

/** The key of a field; for a field of a row with the row's number. */
export const keyOf = (name: string, row?: number): string => (row === undefined ? name : `${row}.${name}`)

export function faultOf(field: BenchField, value: Value): string {
  if (field.required === true && value === '') return REQUIRED
  if (field.pattern !== undefined && value !== '' && !new RegExp(field.pattern).test(String(value)))
    return INVALID
  return ''
}

export function createSmallStore(form: BenchForm): SmallStore {
  const slots = new Map<string, Slot>()
  const fields = new Map<string, BenchField>()
  const listeners = new Map<string, Set<() => void>>()
  const add = (key: string, field: BenchField, value: Value) => {
    fields.set(key, field)
    slots.set(key, { value, error: '' })
  }
  const empty = ({ type }: BenchField): Value => (type === 'switch' ? false : '')
  if (form.kind === 'T') {
    for (const [i, row] of form.rows.entries())
      for (const field of form.fields) add(keyOf(field.name, i), field, row[field.name] as Value)
  } else for (const field of form.fields) add(field.name, field, empty(field))

  function put(key: string, slot: Slot): void {
    slots.set(key, slot)
    for (const listener of listeners.get(key) ?? []) listener()
  }
  const store: SmallStore = {
    get: (key) => slots.get(key) ?? { value: '', error: '' },
    set(key, value) {
      const field = fields.get(key)
      const known = slots.get(key)
      if (!field || !known || known.value === value) return
      put(key, { value, error: known.error === '' ? '' : faultOf(field, value) })
      if (form.kind === 'H' && field === form.typeIn)
        for (const target of form.targets) store.set(target.name, linkedValue(String(value), target))
    },
    subscribe(key, listener) {
      const known = listeners.get(key) ?? new Set()
      listeners.set(key, known.add(listener))
      return () => known.delete(listener)
    },
    validate() {
      let count = 0
      for (const [key, field] of fields) {
        const slot = store.get(key)
        const error = faultOf(field, slot.value)
        if (error !== '') count += 1
        if (error !== slot.error) put(key, { value: slot.value, error })
      }
      return count
    },
  }
  return store
}
