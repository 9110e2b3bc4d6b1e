import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import type { Field, ModuleDescription } from '../../src/model/description.ts'
import { kindOf } from '../../src/model/kinds/index.ts'
import { checkPage } from '../../src/server/kernel/pages/check.ts'
import { loadPages } from '../../src/server/kernel/pages/load.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')
const { pages } = await loadPages(SCHEMAS, checkPage)
const TYPED: ReadonlySet<string> = new Set(['text', 'number', 'day', 'moment'])

const FORMS: readonly (readonly [module: string, page: string])[] = [
  ['customer', '/pages/customer/my/add'],
  ['lead', '/pages/customer/leads/add'],
  ['contact', '/pages/customer/contact/add'],
  ['bussiness', '/pages/bussiness/add'],
  ['contract', '/pages/contract/add'],
  ['payment', '/pages/contract/payment/add'],
  ['plan', '/pages/contract/plan/add'],
]

/** All objects in a document. */
function objectsIn(value: Json): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (!isObject(value)) return []
  return [value, ...Object.values(value).flatMap((one) => objectsIn(one ?? null))]
}

/** Typed by people: neither chosen, nor a reference, files, rows or a place. */
const isTyped = ({ kind, readonly }: Field): boolean => {
  const { stored, index, attributes, derived } = kindOf(kind)
  return (
    TYPED.has(stored) &&
    index !== 'ref' &&
    !attributes.includes('options') &&
    derived !== true &&
    readonly !== 'always'
  )
}

it.each(FORMS)(
  'the form of %s copies everything that was typed, each with its label, where its record is gone',
  (module, path) => {
    const description = JSON.parse(
      readFileSync(join(SCHEMAS, `modules/${module}.json`), 'utf8'),
    ) as ModuleDescription
    const page = pages.get(path)
    const objects = objectsIn(page !== undefined && 'document' in page ? (page.document as Json) : null)
    const inputs = new Set(
      objects.flatMap(({ type, options }) =>
        typeof type === 'string' && isObject(options) && options.hidden !== true
          ? [String(options.name)]
          : [],
      ),
    )
    const copies = objects.filter((one) => one.do === 'copy' && String(one.value).includes('form.'))

    const typed = description.fields.filter((field) => isTyped(field) && inputs.has(field.name))
    const lines = String(copies[0]?.value).split('\n')

    expect(copies.length).toBeGreaterThan(0)
    expect(typed.length).toBeGreaterThan(2)
    for (const { name, label } of typed) expect(lines).toContain(`${label}：{{ form.${name} }}`)
    for (const line of lines) expect(line).toMatch(/^[^：{}]+：\{\{ form\.\w+ \}\}$/)
    expect(String(copies[0]?.value)).not.toMatch(/_ids? \}\}/)
  },
)
