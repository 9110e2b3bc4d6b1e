import { expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { FIELD_ATTRIBUTES, MODULE_ATTRIBUTES } from '../../../src/model/attributes.ts'
import { describedRules, namedFields } from '../../../src/model/named-fields.ts'

const RULE = { var: 'n' }
/** A description that names a field in each place where one can stand. */
const MODULE: JsonObject = {
  title: 'n',
  groups: [{ name: 'a', label: 'A', fields: ['n'] }],
  statuses: { field: 'n', moves: {} },
  amount: 'n',
  until: 'n',
  defaultSort: 'n desc',
  approval: { beyond: RULE, steps: [{ when: [{ field: 'n', is: 'x' }] }], open: ['n'] },
  convert: { order: { other: 'n', made_of: 'id' } },
  fields: [{ name: 'x', required: RULE, default: { rule: RULE }, formula: RULE, worked: RULE }],
}
/** Attributes of a module that name no field of it; whoever adds one says it here or in {@link MODULE}. */
const NO_FIELD = 'name label store icon number behaviours pages permission print tabs menu tile'.split(' ')
/** Attributes of a field that hold no rule; a rollup names fields of the other module. */
const NO_RULE =
  'name kind label unique search filter sort card patch readonly mask help import since retired min max decimals pattern form most dict options module inverse result rollup fields rows number'
const placesOf = (module: JsonObject) => [
  ...namedFields(module).map(({ at, name }) => `${at} ${name}`),
  ...describedRules(module).map(({ at, by }) => `${at} by ${by}`),
]

it('every place where a description names a field is found', () => {
  expect(placesOf(MODULE)).toEqual([
    '/title n',
    '/groups/0/fields/0 n',
    '/statuses/field n',
    '/amount n',
    '/until n',
    '/defaultSort n',
    '/approval/steps/0/when/0/field n',
    '/approval/open/0 n',
    '/convert/order/other n',
    '/fields/0/required by x',
    '/fields/0/default/rule by x',
    '/fields/0/formula by x',
    '/fields/0/worked by x',
    '/approval/beyond by ',
  ])
})

it('no attribute is forgotten', () => {
  expect([...Object.keys(MODULE), ...NO_FIELD].sort()).toEqual(Object.keys(MODULE_ATTRIBUTES).sort())
  const rules = ['required', 'default', 'formula', 'worked']
  expect([...rules, ...NO_RULE.split(' ')].sort()).toEqual(Object.keys(FIELD_ATTRIBUTES).sort())
})
