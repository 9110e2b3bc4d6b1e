import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import settings from '../../../schemas/app.json'
import rows from '../../../schemas/routes.json'

const SRC = fileURLToPath(new URL('../../../src', import.meta.url))

it('the app uses every one of its settings', () => {
  const sources = read(SRC)

  const unread = Object.keys(settings).filter((name) => !new RegExp(`settings\\.${name}\\b`).test(sources))

  expect(unread).toEqual([])
})

it('the route table reads every key of a route', () => {
  const table = readFileSync(join(SRC, 'app/navigation/routes.ts'), 'utf8')
  const parts = new Set(rows.flatMap((row) => Object.keys(row)))

  expect([...parts].filter((name) => !new RegExp(`row\\.${name}\\b`).test(table))).toEqual([])
})

function read(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}
