import { expect, it } from 'vitest'
import { asMerged, type MergedModule } from '../../../../src/model/merge-module.ts'
import {
  cachedByModel,
  changedModules,
  replaceModel,
  summaryOfModules,
} from '../../../../src/server/kernel/model/cached-by-model.ts'
import type { TenantModel } from '../../../../src/server/kernel/model/library.ts'

/** Data derived from a tenant's modules are recomputed only if something they read has changed. */

const module = (name: string, label = name): MergedModule =>
  asMerged({ name, label, title: 'name', behaviours: [], fields: [] }, 'vendor')

const modelOf = (
  labels: Readonly<Record<string, string>>,
  mirrored: TenantModel['mirrored'] = new Map(),
) => ({
  modules: new Map(Object.entries(labels).map(([name, label]) => [name, module(name, label)])),
  versions: new Map(),
  mirrored,
})

/** How often it was computed after each of the consecutive models of a tenant; omitted ones are not requested. */
function timesMade(
  look: (model: TenantModel) => unknown,
  models: readonly TenantModel[],
  leftOut: readonly number[] = [],
): readonly number[] {
  const { ask, times } = ctx(look)
  return models.map((model, i) => {
    const earlier = models[i - 1]
    if (earlier !== undefined) replaceModel(model, earlier)
    if (!leftOut.includes(i)) ask(model)
    return times()
  })
}

/** Requests the derived data twice; they are correct each time. */
function ctx(look: (model: TenantModel) => unknown) {
  let times = 0
  const page = {}
  const make = cachedByModel((_: object, model) => {
    times += 1
    return JSON.stringify(look(model))
  })
  return {
    times: () => times,
    ask(model: TenantModel): void {
      for (let i = 0; i < 2; i++) expect(make(page, model)).toBe(JSON.stringify(look(model)))
    },
  }
}

const labels = summaryOfModules(({ modules }) => [...modules.values()].map(({ label }) => label))
const names = summaryOfModules(({ modules }) => [...modules.keys()])

const MODELS = (): [TenantModel, TenantModel, TenantModel, TenantModel, TenantModel] => [
  modelOf({ customer: 'A', lead: 'B' }),
  modelOf({ customer: 'A', lead: 'C' }),
  modelOf({ customer: 'D', lead: 'C' }),
  modelOf({ customer: 'D', lead: 'C' }, new Map([['customer/size', 'filling']])),
  modelOf({ customer: 'D', lead: 'C', part: 'E' }, new Map([['customer/size', 'filling']])),
]
const lead = ({ modules }: TenantModel) => modules.get('lead')

it.each<[string, (model: TenantModel) => unknown, readonly number[]]>([
  ['nothing', () => 1, [1, 1, 1, 1, 1]],
  ['one module', ({ modules }) => modules.get('customer'), [1, 1, 2, 3, 3]],
  ['whether one is there', ({ modules }) => modules.has('part'), [1, 1, 1, 1, 2]],
  ['one that is not there yet', ({ modules }) => modules.get('part') ?? null, [1, 1, 1, 1, 2]],
  ['all by name', ({ modules }) => [...modules.keys()], [1, 2, 3, 4, 5]],
  ['all of them', ({ modules }) => [...modules.values()], [1, 2, 3, 4, 5]],
  ['all with their names', ({ modules }) => [...modules], [1, 2, 3, 4, 5]],
  ['how many there are', ({ modules }) => modules.size, [1, 2, 3, 4, 5]],
  ['what is said of all', (model) => labels(model), [1, 2, 3, 3, 4]],
  ['a little of all', (model) => names(model), [1, 1, 1, 1, 2]],
])('depends on its inputs: %s', (_, look, expected) => {
  expect(timesMade(look, MODELS())).toEqual(expected)
})

it('is reused after models that nobody used, if it would not have changed', () => {
  expect(timesMade(lead, MODELS(), [0, 2, 3])).toEqual([0, 1, 1, 1, 1])
  expect(timesMade(lead, MODELS(), [1, 2, 3])).toEqual([1, 1, 1, 1, 2])
})

it('of an earlier model is not used for a later one', () => {
  const [first, second] = MODELS()
  replaceModel(second, first)
  const { ask, times } = ctx(lead)
  for (const model of [second, first, second, first]) ask(model)

  expect(times()).toBe(2)
})

it('of one tenant is not used for another', () => {
  const { ask, times } = ctx(lead)
  for (const model of [modelOf({ lead: 'B' }), modelOf({ lead: 'B' })]) ask(model)

  expect(times()).toBe(2)
})

it('changes for a module with its description and the progress of its mirrors', () => {
  const [first, second, , fourth] = MODELS()

  expect([...changedModules(first, second)]).toEqual(['lead'])
  expect([...changedModules(first, fourth)]).toEqual(['customer', 'lead'])
  expect([...changedModules(second, second)]).toEqual([])
})
