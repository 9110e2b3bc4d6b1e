import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { generatedFiles } from '../../../src/tools/generated-files.ts'

it.each([...(await generatedFiles())])(
  '%s is up to date: otherwise run `npm run generate',
  (path, content) => {
    const onDisk = readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')

    expect(onDisk === content).toBe(true)
  },
)

it('the validator has no dependencies and generates no code', async () => {
  const code = (await generatedFiles()).get('runtime/core/page/document-validator.generated.js') ?? ''

  expect(code).not.toMatch(/\brequire\(|\bimport\b|new Function|\beval\(/)
})
