import { describe, expect, it } from 'vitest'
import { parseStrictly } from '../../../../runtime/core/check/parse-strictly.ts'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { aDocument, aWidget, registry } from '../../../support/a-page.ts'

const found = (document: JsonObject): readonly string[] => {
  const parsed = parseStrictly(document, { registry })
  const problems = parsed.ok ? parsed.warnings : parsed.problems
  return problems
    .filter(({ code }) => code === 'OPTION_INVALID')
    .map(({ severity, code, at, message }) => `${severity} ${code} ${at} ${message}`)
}
const source = (requestURL: string, more: JsonObject = {}): JsonObject =>
  aDocument([], {
    page: { title: '订单' },
    dataSources: [
      { uniqueName: 'first', requestURL: '/mini/customer/list', requestMethod: 'post' },
      { uniqueName: 'second', requestURL, requestMethod: 'get', ...more },
    ],
  })
const upload = (uploadURL: string, type = 'file-upload'): JsonObject =>
  aDocument([{ ...aWidget('card', 'box'), widgetList: [aWidget(type, 'files', { uploadURL })] }], {
    page: { title: '附件' },
  })

const RIGHT = [
  '/mini/customer/list',
  'list?at=10:30',
  './list',
  '//api.example.com/list',
  'https://api.example.com/list',
  'HTTP://api.example.com/list',
  ' \n https://api.example.com/list',
  'ht\ttps://api.example.com/list',
  'cloud:function/list',
  'cloud://space/db/orders',
  '{{ data.place.base }}/list',
  '{base}/list',
  '/mini/{{ params.module | default:customer }}/list',
  'https://{{ params.host }}/list',
]
const OURS = ['conn:orders/orders', 'local:/outbox']
const WRONG: readonly (readonly [string, string])[] = [
  ['file:///etc/passwd', 'file:'],
  ['javascript:alert(1)', 'javascript:'],
  ['JavaScript:alert(1)', 'JavaScript:'],
  [' javascript:alert(1)', ' javascript:'],
  ['\u0000\u001fjavascript:alert(1)', '\u0000\u001fjavascript:'],
  ['java\nscript:alert(1)', 'java\nscript:'],
  ['java\r\n\tscript\t:alert(1)', 'java\r\n\tscript\t:'],
  ['data:application/json,{"list":[]}', 'data:'],
  ['data:{{ params.text }}', 'data:'],
  ['blob:https://crm.example.com/1', 'blob:'],
  ['ftp://files.example.com/list', 'ftp:'],
  ['ws://live.example.com', 'ws:'],
  ['vbscript:x', 'vbscript:'],
  ['view-source:https://crm.example.com', 'view-source:'],
  ['localhost:8080/list', 'localhost:'],
  ['api.example.com:8443/list', 'api.example.com:'],
  ['CLOUD:function/list', 'CLOUD:'],
  [' conn:orders/orders', ' conn:'],
]

describe('the address of a data source', () => {
  it.each([...RIGHT, ...OURS])('is right: %j', (address) => {
    expect(found(source(address))).toEqual([])
  })

  it.each(WRONG)('is no address of a page: %j', (address, scheme) => {
    expect(found(source(address))).toEqual([
      `error OPTION_INVALID /formConfig/dataSources/1/requestURL ${JSON.stringify(scheme)} begins no address that a page can call; relative, or http: https: cloud: conn: local:`,
    ])
  })

  it('is judged in a plain document too, but not one that is evaluated first', () => {
    const plain = aDocument([], { dataSources: [{ uniqueName: 'a', requestURL: 'file:///a' }] })
    expect(found(plain)).toEqual([expect.stringMatching(/^error OPTION_INVALID .*\/0\/requestURL "file:"/)])
    expect(found(source('DSV.base', { requestURLType: 'Variable' }))).toEqual([])
  })
})

describe('the address of an upload', () => {
  it.each([...RIGHT, '', 'DSV.base + "/upload"', 'DSV["base"]'])('is right: %j', (address) => {
    expect(found(upload(address))).toEqual([])
  })

  it.each([...WRONG.map(([address]) => address), ...OURS])('is no address of a page: %j', (address) => {
    for (const type of ['file-upload', 'picture-upload'])
      expect(found(upload(address, type))).toEqual([
        expect.stringMatching(
          /^error OPTION_INVALID \/widgetList\/0\/widgetList\/0\/options\/uploadURL .*relative, or http: https: cloud:$/,
        ),
      ])
  })

  it('is none in a widget without options', () => {
    expect(found(aDocument([{ type: 'divider' }], { page: {} }))).toEqual([])
  })
})
