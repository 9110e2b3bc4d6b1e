import { build, type Plugin, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { partLoader } from '../../../src/tools/part-loader.ts'
import { precachedFiles } from '../../../src/tools/shell-files.ts'
import { withoutDocs } from '../../../src/tools/without-docs.ts'

/** The output of a build of made-up files. */
async function built(
  files: Readonly<Record<string, string>>,
  bundles: Rolldown.OutputBundle[] = [],
  plugins: readonly Plugin[] = [],
) {
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      { name: 'made-up', resolveId: (id) => (id in files ? id : null), load: (id) => files[id] ?? null },
      withoutDocs(),
      ...plugins,
      { name: 'seen', enforce: 'post', generateBundle: (_, bundle) => void bundles.push(bundle) },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: '/src/main.ts' } },
  })) as Rolldown.RolldownOutput
  return output.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
}

describe('the files that phones load', () => {
  it('contain no descriptions of options', async () => {
    const spec = '/runtime/core/widgets/lamp.ts'
    const guests = '/made/src/contract/workbench-widget.ts'
    const code = await built({
      '/src/main.ts': `import { lamp } from '${spec}'; import { bench } from '${guests}'; console.log(lamp, bench)`,
      [guests]: `export const bench = { type: 'bench', options: { path: { type: 'text', doc: 'what is worked on' } } }`,
      [spec]: `const flag = (doc, initial) => [doc, initial]
        const choice = (words, doc) => [words, doc]
        export const lamp = [flag('shines at night', 7), flag('also by day'), choice(['on', 'off'], 'how it is')]`,
    })

    expect(code).not.toMatch(/shines|by day|how it is|worked on/)
    expect(code.replace(/\s+/g, '')).toContain('flag(void0,7),flag(),choice(["on","off"])')
  })

  it('are precached without the workbench and its own files', async () => {
    const bundles: Rolldown.OutputBundle[] = []
    await built(
      {
        '/src/main.ts': `import('/src/page.ts'); import('/src/workbench/index.ts')`,
        '/src/page.ts': 'export const page = "a page"',
        '/src/workbench/index.ts': `export const bench = 'a bench'; import('/src/editor.ts')`,
        '/src/editor.ts': 'export const editor = "an editor"',
      },
      bundles,
    )

    const kept = precachedFiles(bundles[0] ?? {}).map((name) => /assets\/([a-z]+)/.exec(name)?.[1])
    expect(kept).toContain('page')
    expect(kept).not.toContain('workbench')
    expect(kept).not.toContain('editor')
    expect(kept.length).toBe(2)
  })

  it('are listed for each part, and all exist', async () => {
    const bundles: Rolldown.OutputBundle[] = []
    const code = await built(
      {
        '/src/main.ts': `import('/src/page.ts'); import('/src/list.ts'); import('/src/dark.css')`,
        '/src/page.ts': 'export const page = "a page"',
        '/src/list.ts': 'import "/src/list.css"; import("/src/page.ts"); export const list = "a list"',
        '/src/list.css': '.list { color: red }',
        '/src/dark.css': '.dark { color: white }',
        '/src/parts.ts': 'export const loadPart = (load, files) => load(files)',
      },
      bundles,
      [partLoader('/src/parts.ts')],
    )

    const told = new Set([...code.matchAll(/"(assets\/[^"]+)"/g)].map(([, name]) => name ?? ''))
    const there = Object.keys(bundles[0] ?? {})
    expect([...told].filter((name) => !there.includes(name))).toEqual([])
    expect(there.filter((name) => told.has(name)).map((name) => name.replace(/-[\w-]+\./, '.'))).toEqual(
      expect.arrayContaining(['assets/page.js', 'assets/list.js', 'assets/list.css', 'assets/dark.css']),
    )
  })

  it('fail the build if Vite’s loader of parts changes', async () => {
    await expect(
      built({ '/src/main.ts': 'console.log(1)' }, [], [partLoader('/src/parts.ts')]),
    ).rejects.toThrow(/would not be loaded by loadPart/)
  })
})
