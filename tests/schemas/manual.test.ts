import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRouteTable } from '../../src/app/navigation/routes.ts'
import { checkModule } from '../../src/model/check-module.ts'
import { KIND_NAMES, kindOf } from '../../src/model/kinds/index.ts'
import { OWN_ACTIONS } from '../../src/server/kernel/auth/permissions.ts'
import { openTestApp, type TestApp } from '../server/support.ts'
import { stepsOf } from '../support/tutorial.ts'

const manual = readFileSync(new URL('../../schemas/MANUAL.md', import.meta.url), 'utf8')
const code = (list: readonly string[], by: string): string => list.map((one) => `\`${one}\``).join(by)

/** Modules are the blocks without a word after `json`; all others say what they are. */
const modules = [...manual.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json))

const examples = [...manual.matchAll(/```json ([^\n]+)\n([\s\S]*?)```/g)].map(([, what = '', json = '']) => {
  const [kind = '', ...rest] = what.split(' ')
  return { what, kind, where: rest.at(-1) ?? '', content: JSON.parse(json) }
})

describe('the tutorial', () => {
  const schemas = new URL('../../schemas/', import.meta.url)
  const steps = stepsOf(readFileSync(new URL('TUTORIAL.md', schemas), 'utf8'))

  it('is linked from the manual, and has three pages whose steps can all be followed', () => {
    expect(manual).toContain('](TUTORIAL.md)')
    expect(new Set(steps.map(({ chapter }) => chapter)).size).toBe(3)
    expect(steps.length).toBeGreaterThan(50)
  })

  it('has small pictures, and uses each of them', () => {
    const shown = steps.flatMap(({ act }) =>
      act.do === 'picture' ? [act.file.replace('tutorial/', '')] : [],
    )
    const sizes = readdirSync(new URL('tutorial/', schemas)).map((name) => ({
      name,
      bytes: readFileSync(new URL(`tutorial/${name}`, schemas)).length,
    }))

    expect(sizes.map(({ name }) => name).sort()).toEqual(shown.sort())
    for (const { name, bytes } of sizes) expect(bytes, name).toBeLessThan(60_000)
  })
})

describe('the manual for implementers', () => {
  it('has another token in each of its calls that write: a second call with one token does nothing', () => {
    const tokens = examples.flatMap(({ content }) => content.clientToken ?? [])
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(tokens.length).toBeGreaterThan(3)
  })

  it('has valid examples', () => {
    expect(modules.length).toBeGreaterThan(0)
    for (const example of modules) expect(checkModule(example)).toMatchObject({ ok: true })
  })

  it('contains only tested code: each block is of one of the kinds below', () => {
    const opened = [...manual.matchAll(/^[ \t>]*(?:```|~~~)(.*)$/gm)].map(([, what = '']) => what)

    expect(opened.length % 2).toBe(0)
    expect(
      opened.filter((what, i) => i % 2 === 0 && !/^json(?: (?:page|fragment|route|call) ?.*)?$/.test(what)),
    ).toEqual([])
    expect(opened.filter((what, i) => i % 2 === 1 && what !== '')).toEqual([])
    expect(opened.length / 2).toBe(modules.length + examples.length)
  })

  it('lists every type of field with its values and its settings', () => {
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

const ofKind = (kind: string) => examples.filter((one) => one.kind === kind)

describe('the code in the manual', () => {
  let server: TestApp
  let schemasDir: string
  beforeAll(async () => {
    schemasDir = await mkdtemp(join(tmpdir(), 'crm-manual-'))
    await cp(fileURLToPath(new URL('../../schemas', import.meta.url)), schemasDir, { recursive: true })
    for (const { where, content } of ofKind('fragment')) {
      await mkdir(dirname(join(schemasDir, 'fragments', `${where}.json`)), { recursive: true })
      await writeFile(join(schemasDir, 'fragments', `${where}.json`), JSON.stringify(content))
    }
    for (const { where, content } of ofKind('page'))
      await writeFile(join(schemasDir, `${where}.json`), JSON.stringify(content))
    server = await openTestApp({ SCHEMAS_DIR: schemasDir })
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await rm(schemasDir, { recursive: true, force: true })
  })

  it('has only kinds that are tested here', () => {
    expect(new Set(examples.map(({ kind }) => kind))).toEqual(new Set(['page', 'fragment', 'route', 'call']))
  })

  it('describes modules that can be saved and accept records', async () => {
    const admin = await server.as('admin')
    for (const description of modules) {
      expect((await admin.post('/engine/web/module/save', { description })).meta).toMatchObject({ code: 200 })
      expect((await admin.post(`/mini/m/${description.name}/list`, {})).meta).toMatchObject({ code: 200 })
    }
  })

  it('describes calls that have the described effect', async () => {
    const admin = await server.as('admin')
    for (const { where, content } of ofKind('call')) {
      // A write is copied as it stands here, with its token; the test client would add one.
      const token = where.endsWith('/list') ? undefined : expect.stringMatching(/^[\w-]{8,64}$/)
      expect(content.clientToken, where).toEqual(token)
      const answer = await admin.post(where, content)
      expect(answer.meta, where).toMatchObject({ code: 200 })
      if (where.endsWith('/list')) expect(answer.data.list).toHaveLength(1)
    }
  })

  it('describes pages that open, with their fragments filled in', async () => {
    const admin = await server.as('admin')
    for (const { where } of ofKind('page')) {
      const document = JSON.parse((await admin.get(`/engine/web/page/detail?path=${where}`)).body)

      const { data } = await admin.post('/engine/web/page/check', { path: where, document })
      expect(data.problems, where).toEqual([])
      expect(JSON.stringify(document)).not.toMatch(/"fragment"|with\./)
    }
  })

  it('describes routes that lead to their pages', () => {
    for (const { content } of ofKind('route')) {
      const routes = createRouteTable([content])
      for (const path of [content.path, ...content.aliases])
        expect(routes.find(path)?.page).toBe(content.page)
    }
  })
})
