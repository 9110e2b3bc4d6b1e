import { describe, expect, it } from 'vitest'
import { placeOf } from '../../../../src/server/kernel/pages/json-place.ts'

const TEXT = `{
  "a": { "x/y": [1, "two, } [", { "deep": true }] },
  "quoted \\" key": null,
  "list": [
    {},
    { "name": "b" }
  ]
}`

describe('the position of a JSON pointer in a text', () => {
  it.each([
    ['', 1, 1],
    ['/a', 2, 3],
    ['/a/x~1y', 2, 10],
    ['/a/x~1y/1', 2, 21],
    ['/a/x~1y/2/deep', 2, 35],
    ['/quoted " key', 3, 3],
    ['/list/1/name', 6, 7],
  ])('is found: %s', (pointer, line, column) => {
    expect(placeOf(TEXT, pointer)).toEqual({ line, column })
  })

  it('is that of the nearest existing ancestor', () => {
    expect(placeOf(TEXT, '/list/1/label')).toEqual({ line: 6, column: 5 })
    expect(placeOf(TEXT, '/list/7')).toEqual({ line: 4, column: 3 })
    expect(placeOf('', '/list')).toEqual({ line: 1, column: 1 })
  })
})
