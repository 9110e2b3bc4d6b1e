import { describe, expect, it } from 'vitest'
import { fillJson } from '../../../runtime/core/data/build-request.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../../../src/model/description.ts'
import { bodyOf, fieldWidgets } from '../../../src/model/form-fields.ts'
import { kindOf } from '../../../src/model/kinds/index.ts'
import { readField } from '../../../src/model/read-record.ts'
import { sameValue } from '../../../src/model/same-value.ts'
import { pageWords } from '../../../src/server/kernel/pages/referred.ts'

const PLACE: Field = { name: 'place', kind: 'location', label: '位置' }
const words = pageWords()

/** The data sent by a form that was filled with a value. */
function sentBack(value: Json): Json {
  const form = kindOf('location').wireParts?.(value, PLACE) ?? {}
  const fill = (text: string): Json => form[text.replace(/^\{\{ form\.|\s*\}\}$/g, '')] ?? null
  const body = fillJson(bodyOf(PLACE, words), { fill, scope: { form }, onBound: () => undefined } as never)
  return (body as JsonObject).place ?? null
}

describe('a place on a form', () => {
  it('is a typed address, with coordinates that only the device provides', () => {
    const widgets = fieldWidgets(PLACE, words)
    const shown = widgets.filter(({ options }) => (options as JsonObject).hidden !== true)

    expect(shown.map(({ type, options }) => [type, (options as JsonObject).label])).toEqual([
      ['input', '位置'],
      ['line', undefined],
    ])
  })

  it.each<Json>([
    { lng: 113.95, lat: 22.54, address: '科技园' },
    { lng: 113.95, lat: 22.54 },
    { address: '科技园' },
  ])('%j is sent back unchanged', (value) => {
    expect(readField(sentBack(value), PLACE)).toEqual(value)
    expect(sameValue(sentBack(value), value)).toBe(true)
  })

  it('is null if it was cleared, and stays absent if it was absent', () => {
    expect(readField(sentBack(null), PLACE)).toBeNull()
    expect(sameValue(sentBack(null), null)).toBe(true)
  })
})
