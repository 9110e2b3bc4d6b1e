import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import { uploadsOf } from '../../runtime/core/engine/uploads.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { readProduct } from './product-pages.ts'

const { pages } = await readProduct()

/** A page that shows what a chosen file would change, with a server that answers the check. */
function open(path: string, answer: JsonObject) {
  const document = pages.find((page) => page.path === path)?.document ?? {}
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) throw new Error(`${path} cannot be opened`)
  const world = memoryWorld({
    server: ({ url }) =>
      url.includes('/check')
        ? answer
        : { meta: { code: 200 }, data: { id: 'f1', url: '/f/1', name: 'a.json' } },
  })
  const engine = createEngine({ page: parsed.page, registry, ports: world.ports })
  const file = { name: 'a.json', size: 9, type: 'application/json', handle: null }
  return { engine, choose: () => uploadsOf(engine).add('file', [file]) }
}

it.each(['/pages/admin/module/import', '/pages/admin/page/package'])(
  '%s shows why a file is invalid until another is chosen',
  async (path) => {
    const message = '这不是模块与字段的导出文件'
    const { engine, choose } = open(path, { meta: { code: 400, success: false, message }, data: null })

    await choose()
    await expect.poll(() => engine.scope().data.fault).toBe(message)
    expect(engine.node('unfit')).toMatchObject({ hidden: false })

    uploadsOf(engine).remove('file', '/f/1')
    await expect.poll(() => engine.scope().data.fault).toBe('')
  },
)

it('the changes of a file are shown as soon as the file is chosen', async () => {
  const data = { fits: true, list: [] }
  const { engine, choose } = open('/pages/admin/module/import', { meta: { code: 200 }, data })

  await choose()

  await expect.poll(() => engine.scope().data.check).toEqual(data)
})
