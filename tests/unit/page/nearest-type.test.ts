import { expect, it } from 'vitest'
import { nearestType } from '../../../runtime/core/page/nearest-type.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'

const registry = createRegistry()

it.each([
  ['inptu', 'input'],
  ['slect', 'select'],
  ['m-swich', 'switch'],
  ['picture-uplaod', 'picture-upload'],
])('corrects %s as a typo of %s', (type, known) => {
  expect(nearestType(type, registry)).toBe(known)
})

it.each(['chart', 'm-size', 'tree', 'drawer', 'title-text', 'sealFile', 'input2', 'vf-dialog'])(
  'takes %s for an unknown third-party widget',
  (type) => {
    expect(nearestType(type, registry)).toBeNull()
  },
)
