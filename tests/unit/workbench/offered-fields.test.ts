import { expect, it } from 'vitest'
import { isOffered, offersModules } from '../../../src/workbench/offered-fields.ts'

const THERE = new Set(['name', 'ext_wechat', 'card_mobile'])
const field = (name: string, isWritten = true) => ({ name, isWritten })

it('a form offers the fields that it can have and does not have', () => {
  const offered = [field('name'), field('mobile'), field('ext_wechat'), field('ext_town'), field('no', false)]

  expect(offered.filter((one) => isOffered(one, THERE, false)).map(({ name }) => name)).toEqual([
    'mobile',
    'ext_town',
  ])
})

it('a card offers fields that it does not show, but no own fields', () => {
  const offered = [field('name'), field('mobile'), field('ext_town'), field('no', false)]

  expect(offered.filter((one) => isOffered(one, THERE, true)).map(({ name }) => name)).toEqual(['name', 'no'])
})

it('pages of own modules are offered no fields of other modules', () => {
  expect(['/pages/m/ticket/add', '/pages/customer/my/add', '/pages/x/board'].map(offersModules)).toEqual([
    false,
    true,
    true,
  ])
})
