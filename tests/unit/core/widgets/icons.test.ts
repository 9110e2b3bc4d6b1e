import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')

it('the icon set contains every icon that a page or a menu uses', () => {
  const set = readFileSync(join(ROOT, 'runtime/react/kit/icon-set.tsx'), 'utf8')
  const named = [...textsOf('schemas/pages', '.json'), ...textsOf('src/server', '.ts')].flatMap((text) =>
    Array.from(text.matchAll(/['"]([A-Z][A-Za-z]+(?:Outline|Fill))['"]/g), ([, name = '']) => name),
  )

  expect(named.length).toBeGreaterThan(5)
  expect([...new Set(named)].filter((name) => !set.includes(`import ${name} from`))).toEqual([])
})

function textsOf(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))
}
