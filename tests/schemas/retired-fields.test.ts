import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ModelOf } from '../../src/model/references/named.ts'
import { checkPage } from '../../src/server/kernel/pages/check.ts'
import { loadPages } from '../../src/server/kernel/pages/load.ts'
import type { PageVersion } from '../../src/server/kernel/pages/page-version.ts'
import { readJsonFolder } from '../../src/server/kernel/pages/read-files.ts'
import { referredFrom } from '../../src/server/kernel/pages/referred.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')

it('every form of the product opens with any of its fields retired', async () => {
  const files = await readJsonFolder(SCHEMAS, 'modules')
  const { module } = referredFrom(new Map(), files)
  const { pages } = await loadPages(SCHEMAS, checkPage)
  const forms = [...pages.values()].filter(
    (page): page is PageVersion => 'byModules' in page && page.byModules !== undefined,
  )
  const shut = forms.flatMap(({ path, byModules }) =>
    [...(byModules?.modules ?? [])].flatMap((name) =>
      (module(name)?.fields ?? []).flatMap((field) => {
        const document = byModules?.documentFor(withRetired(module, name, field.name)) ?? null
        const faults = checkPage(document).filter(({ severity }) => severity === 'error')
        return faults.map(({ message }) => `${path} without ${name}.${field.name}: ${message}`)
      }),
    ),
  )

  expect(forms.length).toBeGreaterThan(7)
  expect(shut).toEqual([])
})

/** The modules as shipped, with one field of one of them retired. */
const withRetired =
  (module: ModelOf, name: string, field: string): ModelOf =>
  (asked) => {
    const found = module(asked)
    if (found === undefined || asked !== name) return found
    return {
      ...found,
      fields: found.fields.map((one) => (one.name === field ? { ...one, retired: true } : one)),
    }
  }
