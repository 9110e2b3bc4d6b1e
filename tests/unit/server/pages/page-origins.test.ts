import { expect, it } from 'vitest'
import { refusedOrigins } from '../../../../src/server/kernel/pages/page-origins.ts'

const OWN = 'https://crm.example.com'
const refused = (requestURL: string) =>
  refusedOrigins(
    { formConfig: { dataSources: [{ uniqueName: 'rows', requestURL, requestMethod: 'get' }] } },
    OWN,
    new Set(['https://api.example.com']),
  )

it.each([
  'https://other.example.com/list',
  '//other.example.com/list',
  '\\\\other.example.com/list',
  ' https://other.example.com/list',
  '\u0001https://other.example.com/list',
  'ht\ttps://other.example.com/list',
  'https:\n//other.example.com/list',
  '/\t/other.example.com/list',
])('an origin that is not allowed is found however it is written: %j', (address) => {
  expect(refused(address)).toEqual([
    { at: '/formConfig/dataSources/0/requestURL', origin: 'https://other.example.com' },
  ])
})

it.each([
  '/mini/customer/list',
  'https://crm.example.com/mini/customer/list',
  'ht\ttps://api.example.com/list',
  'https://{{ params.host }}/list',
])('an address here, at an allowed origin or composed later is left: %j', (address) => {
  expect(refused(address)).toEqual([])
})
