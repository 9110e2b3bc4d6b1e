import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdit } from '../../runtime/core/edit/apply-edit.ts'
import { type Editing, openText, perform, redo, undo } from '../../runtime/core/edit/history.ts'
import { wideJson } from '../../runtime/core/edit/wide-json.ts'
import type { Json } from '../../runtime/core/json.ts'
import { type Dice, dice, editBy } from '../support/random-edits.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ours = readdirSync(`${ROOT}schemas/pages`, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .map((file) => `${ROOT}schemas/pages/${file}`)
const corpus = `${ROOT}../shared/vform/corpus`
const real = existsSync(corpus) ? readdirSync(corpus).filter((file) => file.endsWith('.json')) : []
if (real.length === 0) console.info(`no real documents at ${corpus}: only our own pages are edited`)
const texts = [...ours, ...real.map((file) => `${corpus}/${file}`)].map((file) => readFileSync(file, 'utf8'))

/** Formatting styles of JSON. */
const MANNERS: readonly ((document: Json) => string)[] = [
  (document) => `${wideJson(document)}\n`,
  (document) => JSON.stringify(document),
  (document) => JSON.stringify(document, null, 2),
  (document) => JSON.stringify(document, null, '\t').replaceAll('\n', '\r\n'),
  (document) => `\uFEFF${JSON.stringify(document, null, 4)}\n\n`,
]

const aText = fc
  .tuple(fc.constantFrom(...texts), fc.constantFrom(null, ...MANNERS))
  .map(([text, manner]) => (manner === null ? text : manner(JSON.parse(text) as Json)))

describe('edits of a page', () => {
  it('change nothing if the list of edits is empty', () => {
    for (const text of texts) expect(opened(text).text).toBe(text)
  })

  it('are undone to the same bytes and redone to the same result', () => {
    fc.assert(
      fc.property(aText, fc.array(dice, { minLength: 1, maxLength: 12 }), (text, throws) => {
        const states = [opened(text)]
        for (const one of throws) states.push(edited(states.at(-1) as Editing, one))
        const last = states.at(-1) as Editing
        let back = last
        while (back.done.length > 0) {
          back = undo(back)
          expect(said(back)).toEqual(said(states.findLast(({ done }) => done.length === back.done.length)))
        }
        expect(back.text).toBe(text)
        let again = back
        while (again.undone.length > 0) again = redo(again)
        expect(said(again)).toEqual(said(last))
      }),
      { numRuns: 150 },
    )
  })

  it('leave a text that equals the document', () => {
    fc.assert(
      fc.property(aText, fc.array(dice, { minLength: 1, maxLength: 8 }), (text, throws) => {
        const now = throws.reduce(edited, opened(text))

        expect(now.text.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
        expect(JSON.stringify(JSON.parse(now.text.replace(/^\uFEFF/, '')))).toBe(JSON.stringify(now.document))
      }),
      { numRuns: 150 },
    )
  })

  it('give the same page if they are repeated from the beginning', () => {
    fc.assert(
      fc.property(aText, fc.array(dice, { maxLength: 12 }), (text, throws) => {
        const start = opened(text)
        const now = throws.reduce(edited, start)
        const replayed = now.done.reduce<Json>(
          (document, { edit }) => applyEdit(document, edit)?.document ?? null,
          start.document,
        )

        expect(JSON.stringify(replayed)).toBe(JSON.stringify(now.document))
      }),
      { numRuns: 100 },
    )
  })

  it('change only lines of the text that they concern', () => {
    const text =
      '{\n  "widgetList": [\n    { "type": "input",   "options": { "name": "a" } },\n    {"type":"input","options":{"name":"b"}}\n  ],\n  "formConfig": {}\n}\n'
    const now = perform(opened(text), { do: 'set', id: '/b', path: ['options', 'label'], value: '乙' })

    expect(now.text).toBe(text.replace('{"name":"b"}', '{"name":"b", "label": "乙"}'))
  })

  it('change only the different parts of a list or a record', () => {
    const text =
      '{"formConfig":{"dataSources":[\n  {"uniqueName":"a","params":[ ]},\n\t{"uniqueName":"b"}\n]},"widgetList":[]}'
    const path = ['formConfig', 'dataSources']
    const named = (...names: string[]) => names.map((uniqueName) => ({ uniqueName }))
    const said = (...value: Json[]) => perform(opened(text), { do: 'set', path, value }).text

    expect(said({ uniqueName: 'a', params: [] }, ...named('c'))).toBe(text.replace('"b"', '"c"'))
    expect(said(...named('b'))).toBe(
      '{"formConfig":{"dataSources":[\n  {"uniqueName":"b"}\n]},"widgetList":[]}',
    )
    expect(said({ uniqueName: 'a', params: [] }, { uniqueName: 'b', auto: true })).toBe(
      text.replace('{"uniqueName":"b"}', '{"uniqueName":"b", "auto": true}'),
    )
    const whole = perform(opened(text), {
      do: 'set',
      path: [],
      value: { formConfig: { dataSources: [] }, widgetList: [] },
    })
    expect(whole.text).toBe('{"formConfig":{"dataSources":[]},"widgetList":[]}')
    expect(undo(whole).text).toBe(text)
  })
})

const opened = (text: string): Editing => {
  const editing = openText(text)
  if (editing === null) throw new Error('no JSON')
  return editing
}

const edited = (now: Editing, one: Dice): Editing => perform(now, editBy(now.document, one))

const said = (now: Editing | undefined) => ({ text: now?.text, document: JSON.stringify(now?.document) })
