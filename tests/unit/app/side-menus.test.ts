import { expect, it } from 'vitest'
import { menuOf } from '../../../src/app/navigation/side-menus.ts'

const ENTRIES = [
  '/',
  '/pages/customer/my/index',
  '/pages/bussiness/index',
  '/pages/bussiness/pool/index',
  '/pages/bussiness/board',
  '/pages/m/expense/index',
  '/pages/product/index',
  '/pages/my/index',
  '/pages/stats/target',
]

it.each([
  ['its own entry', '/pages/bussiness/board', '/pages/bussiness/board'],
  ['its own entry', '/', '/'],
  ['the list beside it', '/pages/customer/my/detail', '/pages/customer/my/index'],
  ['the list above it', '/pages/customer/my/follow/add', '/pages/customer/my/index'],
  ['the innermost section', '/pages/bussiness/pool/detail', '/pages/bussiness/pool/index'],
  ['the list of its own module', '/pages/m/expense/detail', '/pages/m/expense/index'],
  ['the page that it edits', '/pages/stats/target-edit', '/pages/stats/target'],
  ['no entry', '/pages/stats/targets', undefined],
  ['no entry', '/pages/m/patrol/index', undefined],
  ['no entry', '/pages/admin/role/edit', undefined],
  ['no entry', '/pages/admin/user/handover', undefined],
])('the menu marks %s for %s', (_, path, entry) => {
  expect(menuOf(path, ENTRIES)).toBe(entry)
})
