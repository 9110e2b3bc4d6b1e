import { expect, it } from 'vitest'
import {
  type Cell,
  dataCell,
  errorCell,
  formCell,
  optionCell,
  parseCell,
  rowKey,
  rowsCell,
  splitRowKey,
  VARIABLES_CELL,
  valueCell,
} from '../../../../runtime/core/state/cells.ts'

const CELLS: readonly (readonly [string, Cell])[] = [
  [valueCell('name'), { kind: 'value', key: 'name' }],
  [valueCell('a/b@row7'), { kind: 'value', key: 'a/b@row7' }],
  [optionCell('name', 'hidden'), { kind: 'option', key: 'name', option: 'hidden' }],
  [optionCell('a/b', 'label'), { kind: 'option', key: 'a/b', option: 'label' }],
  [optionCell('n', ''), { kind: 'option', key: 'n', option: '' }],
  [rowsCell('lines'), { kind: 'rows', key: 'lines' }],
  [dataCell('list'), { kind: 'data', name: 'list' }],
  [formCell('readMode'), { kind: 'form', name: 'readMode' }],
  [errorCell('name'), { kind: 'error', key: 'name' }],
]

it.each(CELLS)('the name %s is parsed back to the same cell', (name, cell) => {
  expect(parseCell(name)).toEqual(cell)
})

it('different kinds of cells have different names', () => {
  const names = [valueCell, rowsCell, dataCell, formCell, errorCell].map((name) => name('x'))

  expect(new Set([...names, optionCell('x', 'x'), VARIABLES_CELL]).size).toBe(names.length + 2)
})

it.each(['', 'v', 'x/name', 'o/name', 'o//hidden', VARIABLES_CELL])('%j names no cell', (name) => {
  expect(parseCell(name)).toBeUndefined()
})

it('a field in a row is named by its key and its row; if a key contains the separator, the last one counts', () => {
  expect(rowKey('price', 'r1')).toBe('price@rowr1')
  expect(splitRowKey('price@rowr1')).toEqual({ base: 'price', rowId: 'r1' })
  expect(splitRowKey(rowKey('a@rowb', 'r2'))).toEqual({ base: 'a@rowb', rowId: 'r2' })
  expect(splitRowKey('@rowr1')).toEqual({ base: '', rowId: 'r1' })
  expect(splitRowKey('price')).toEqual({ base: 'price', rowId: null })
})
