import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openTestApp } from '../support.ts'

const TOKEN = 'the-token-of-the-operator'

it('a broken page is reported to the operator with the file, the position, and the reason', async () => {
  const schemas = await mkdtemp(join(tmpdir(), 'crm-schemas-'))
  await mkdir(join(schemas, 'pages/plan'), { recursive: true })
  await writeFile(join(schemas, 'routes.json'), '[]')
  await writeFile(join(schemas, 'pages/plan/list.json'), '{\n  "page": {,}\n}')
  await writeFile(join(schemas, 'pages/plan/empty.json'), '{ "widgetList": [{ "type": "nothing" }] }')
  const server = await openTestApp({ OPERATOR_TOKEN: TOKEN, SCHEMAS_DIR: schemas })
  onTestFinished(async () => {
    await server.close()
    await rm(schemas, { recursive: true })
  })

  const answer = await server.app.inject({
    url: '/operator/status',
    headers: { authorization: `Bearer ${TOKEN}` },
  })

  const told = new Map(
    (JSON.parse(answer.body).brokenPages as { page: string; first: string }[]).map(({ page, first }) => [
      page,
      first,
    ]),
  )
  expect(told.get('/pages/plan/list')).toMatch(/^schemas\/pages\/plan\/list\.json:2:12: .*[\u4e00-\u9fff]/)
  expect(told.get('/pages/plan/empty')).toMatch(/^schemas\/pages\/plan\/empty\.json:1:\d+: .*[\u4e00-\u9fff]/)
})
