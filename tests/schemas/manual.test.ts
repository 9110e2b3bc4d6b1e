import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkModule } from '../../src/model/check-module.ts'
import { KIND_NAMES, kindOf } from '../../src/model/kinds/index.ts'
import { OWN_ACTIONS } from '../../src/server/kernel/auth/permissions.ts'

const manual = readFileSync(new URL('../../schemas/MANUAL.md', import.meta.url), 'utf8')
const code = (list: readonly string[], by: string): string => list.map((one) => `\`${one}\``).join(by)

describe('the manual for implementers', () => {
  it('has examples that are right', () => {
    const examples = [...manual.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json))

    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) expect(checkModule(example)).toMatchObject({ ok: true })
  })

  it('lists every kind of field with what it reads and needs', () => {
    const rows = KIND_NAMES.map((name) => {
      const { attributes, needs = [] } = kindOf(name)
      return `| \`${name}\` | ${code(attributes, ', ')} | ${needs.map((ways) => code(ways, ' or ')).join(', ')} |`
    })
    const [, table = ''] = /<!-- kinds -->\n([\s\S]*?)<!-- \/kinds -->/.exec(manual) ?? []

    expect(table.trim().split('\n').slice(2)).toEqual(rows)
  })

  it('names every template', () => {
    const folder = new URL('../../schemas/templates/', import.meta.url)
    const templates = readdirSync(folder).map((name) =>
      JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
    )

    expect(templates.length).toBeGreaterThan(4)
    for (const template of templates) {
      expect(checkModule(template)).toMatchObject({ ok: true })
      expect(manual).toContain(template.label)
    }
  })

  it('names every right on an own module', () => {
    const [, rights = ''] = /## Rights\n\n([\s\S]*?)\n\n?$/.exec(`${manual}\n`) ?? []

    for (const action of OWN_ACTIONS) expect(rights).toMatch(new RegExp(`[:\`]${action}\``))
  })
})
