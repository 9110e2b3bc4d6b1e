import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkFiles } from '../../../src/tools/page-files.ts'

describe('checkFiles', () => {
  it('returns file, code, pointer and message of each problem', async () => {
    const file = await aFile('{ "widgetList": [{ "type": "inptu" }], "formConfig": {} }')

    const { warnings } = await checkFiles([file])

    expect(warnings).toEqual([
      `${file}: WIDGET_UNKNOWN at /widgetList/0/type (line 1, column 20): no widget is registered as "inptu" (did you mean "input"?)`,
    ])
  })

  it('names the line of invalid JSON', async () => {
    const file = await aFile('{\n  "widgetList": [],\n}')

    const { problems } = await checkFiles([file])

    expect(problems[0]).toMatch(/: JSON_INVALID at \/: the file is not JSON: line 3, column 1: /)
  })

  it('compiles code slots without running them', async () => {
    const widgetList = [
      { type: 'button', options: { name: 'a', onClick: 'if (' } },
      { type: 'button', options: { name: 'b', onClick: 'throw new Error("ran")' } },
    ]
    const ours = await aFile(JSON.stringify({ widgetList, formConfig: { page: {} } }))
    const plain = await aFile(JSON.stringify({ widgetList, formConfig: {} }))

    const at = [expect.stringContaining('CODE_INVALID at /widgetList/0/options/onClick')]
    expect(await checkFiles([ours])).toEqual({ problems: at, warnings: [] })
    expect(await checkFiles([plain])).toEqual({ problems: [], warnings: at })
  })

  it('refuses an empty page, in plain VForm too', async () => {
    const files = await Promise.all([
      aFile('{ "widgetList": [], "formConfig": {} }'),
      aFile('{ "widgetList": [], "formConfig": { "page": {} } }'),
    ])

    const checked = await Promise.all(files.map((file) => checkFiles([file])))

    expect(checked.map(({ problems }) => problems)).toEqual(
      files.map(() => [expect.stringContaining('PAGE_EMPTY at /widgetList')]),
    )
  })

  it('reports warnings separately: a plain document with a private widget passes', async () => {
    const file = await aFile('{ "widgetList": [{ "type": "sealFile", "options": {} }], "formConfig": {} }')

    expect(await checkFiles([file])).toMatchObject({
      problems: [],
      warnings: [expect.stringContaining('sealFile')],
    })
  })

  it('checks descriptions of modules as well', async () => {
    const module = {
      name: 'ticket',
      label: '工单',
      title: 'title',
      behaviours: [],
      fields: [{ name: 'title', kind: 'txt', label: '标题' }],
    }
    const file = await aFile(JSON.stringify(module))

    const { problems } = await checkFiles([file])

    expect(problems).toEqual([
      `${file}: KIND_UNKNOWN at /fields/0/kind (line 1, column 89): no kind of field is called "txt" (did you mean "text"?)`,
    ])
  })

  it('checks dictionaries and rights that a module names', async () => {
    const level = { name: 'level', kind: 'choice', label: '级别', dict: 'custmer_level' }
    const title = { name: 'title', kind: 'text', label: '标题' }
    const module = { name: 'ticket', label: '工单', title: 'title', behaviours: [], permission: 'custmer' }
    const file = await aFile(JSON.stringify({ ...module, fields: [title, level] }))

    const { problems } = await checkFiles([file])

    expect(problems).toEqual([
      expect.stringMatching(/WORD_UNKNOWN at \/permission .*did you mean "customer"/),
      expect.stringMatching(/WORD_UNKNOWN at \/fields\/1\/dict .*did you mean "customer_level"/),
    ])
  })

  it('reports a missing file', async () => {
    const { problems } = await checkFiles(['/nowhere/page.json'])

    expect(problems).toEqual([
      '/nowhere/page.json: JSON_INVALID at /: the file is not JSON: it cannot be read',
    ])
  })

  it('finds nothing in our own pages, fragments and modules', async () => {
    expect((await checkFiles([])).problems).toEqual([])
  })
})

async function aFile(content: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'pages-')), 'page.json')
  await writeFile(file, content)
  return file
}
