import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isObject, type Json } from '../../runtime/core/json.ts'
import { labelText } from '../../src/model/labels.ts'
import { checkPage } from '../../src/server/kernel/pages/check.ts'
import { loadPages } from '../../src/server/kernel/pages/load.ts'
import type { PageVersion } from '../../src/server/kernel/pages/page-version.ts'
import { readJsonFolder } from '../../src/server/kernel/pages/read-files.ts'
import { referredFrom } from '../../src/server/kernel/pages/referred.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')
/** Short words have many other meanings, too: 状态, 备注. */
const TELLING = 4
/** Labels that look like a field and are not: demonstrations, people, computed numbers, modules, kinds of reasons, a tab. */
const OTHERS =
  /^\/pages\/(?:vform|admin|my|stats|index)\b|plan\/add: 回款计划|bussiness\/detail: 无效原因|contact\/index: 关键决策人/

it('a field that a tenant renames has its new name on every page: no page contains a label of a field', async () => {
  const { module } = referredFrom(new Map(), await readJsonFolder(SCHEMAS, 'modules'))
  const names = [...(await readJsonFolder(SCHEMAS, 'modules')).keys()]
  const labels = new Set(
    names.flatMap((name) => (module(name)?.fields ?? []).map((one) => labelText(one.label))),
  )
  const renamed = (name: string) => {
    const found = module(name)
    return (
      found && {
        ...found,
        fields: found.fields.map((one) => ({ ...one, label: `★${labelText(one.label)}` })),
      }
    )
  }
  const { pages } = await loadPages(SCHEMAS, checkPage)
  const shown = [...pages.values()].filter((page): page is PageVersion => 'document' in page)

  const left = shown.flatMap(({ path, document, byModules }) =>
    labelsIn(byModules?.documentFor(renamed) ?? document)
      .filter((label) => label.length >= TELLING && labels.has(label))
      .map((label) => `${path}: ${label}`)
      .filter((place) => !OTHERS.test(place)),
  )

  expect(shown.length).toBeGreaterThan(60)
  expect([...new Set(left)]).toEqual([])
})

function labelsIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(labelsIn)
  if (!isObject(value)) return []
  const own = typeof value.label === 'string' ? [value.label] : []
  return [...own, ...Object.values(value).flatMap((one) => labelsIn(one ?? null))]
}
