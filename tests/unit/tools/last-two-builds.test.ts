import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lastTwoBuilds } from '../../../src/tools/last-two-builds.ts'

const { build } = await import('vite')
const folder = mkdtempSync(join(tmpdir(), 'crm-builds-'))
const dist = join(folder, 'dist')
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
afterAll(() => rmSync(folder, { recursive: true }))

it('the folder of a watching build holds the files of the last two builds, which each still load all of theirs', async () => {
  const plugin = lastTwoBuilds()
  const built = async (word: string): Promise<readonly string[]> => {
    writeFileSync(join(folder, 'part.js'), `export const word = '${word}'`)
    writeFileSync(join(folder, 'main.js'), "export const said = import('./part.js').then((it) => it.word)")
    await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [plugin],
      build: {
        ssr: true,
        outDir: dist,
        emptyOutDir: false,
        sourcemap: true,
        rolldownOptions: { input: { main: join(folder, 'main.js') } },
      },
    })
    return readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.includes('part-') && file.endsWith('.js'))
      .map((file) => /'?"?(甲|乙|丙|丁)/.exec(readFileSync(join(dist, file), 'utf8'))?.[1] ?? '')
      .sort()
  }

  expect(await built('甲')).toEqual(['甲'])
  writeFileSync(join(dist, 'left-by-another-run.js'), '')
  expect(await built('乙')).toEqual(['乙', '甲'])
  expect(await built('丙')).toEqual(['丙', '乙'])
  expect(await built('丁')).toEqual(['丁', '丙'])
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|map)$/.test(file),
  )
  expect(files).toContain('main.js')
  expect(files.filter((file) => file.endsWith('.map'))).toHaveLength(3)
  expect(files).toHaveLength(6)
})
