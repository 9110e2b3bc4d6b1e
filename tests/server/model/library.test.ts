import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createModuleLibrary } from '../../../src/server/kernel/model/library.ts'
import { addOverride, readOverrides } from '../../../src/server/kernel/model/overrides.ts'
import { PEOPLE } from '../images.ts'
import { openTestDatabase } from '../support.ts'

it('uses no model that was read before another server changed it', async () => {
  const { database, drop } = await openTestDatabase(PEOPLE)
  const fail = (error: Error): never => {
    throw error
  }
  const library = await createModuleLibrary({ schemasDir: 'schemas', database, onError: fail })
  const scope = { tenantId: 'xinghai', userId: 'u-admin' }

  const versions = await database.tenant(scope, async (trx) => {
    const early = library.of(trx, scope.tenantId)
    const told = library.changed(trx, scope.tenantId)
    await Promise.all([early, told])
    await addOverride(trx, scope, {
      name: 'customer',
      version: 1,
      kind: 'difference',
      description: { name: 'customer', label: '客户档案' },
      deleted: false,
    })
    return (await library.of(trx, scope.tenantId)).versions
  })

  expect([...versions]).toEqual([['customer', 1]])
  await library.close()
  await drop()
})

it('reads a description once in a transaction, however many others are saved meanwhile', async () => {
  const { database, drop } = await openTestDatabase(PEOPLE)
  const fail = (error: Error): never => {
    throw error
  }
  const library = await createModuleLibrary({ schemasDir: 'schemas', database, onError: fail })
  const scope = { tenantId: 'xinghai', userId: 'u-admin' }
  const fields = [{ name: 'title', kind: 'text', label: '标题' }]
  const saved = (name: string, version: number, label: string) => ({
    name,
    version,
    kind: 'own' as const,
    description: { name, label, title: 'title', behaviours: [], fields },
    deleted: false,
  })

  await database.tenant(scope, async (trx) => {
    const read = async () => ({
      overrides: new Map((await readOverrides(trx, scope.tenantId)).map((one) => [one.name, one])),
      modules: (await library.within(trx, scope.tenantId)).modules,
    })
    await addOverride(trx, scope, saved('visit', 1, '拜访'))
    await addOverride(trx, scope, saved('ticket', 1, '工单'))
    const first = await read()
    await addOverride(trx, scope, saved('ticket', 2, '服务工单'))
    const next = await read()

    expect(next.overrides.get('visit')).toBe(first.overrides.get('visit'))
    expect(next.modules.get('visit')).toBe(first.modules.get('visit'))
    expect(next.overrides.get('ticket')).toEqual(saved('ticket', 2, '服务工单'))
    expect(next.modules.get('ticket')?.label).toBe('服务工单')
  })
  await library.close()
  await drop()
})

it('shares one model between callers with the same description, and keeps none of a rolled back change', async () => {
  const { database, drop } = await openTestDatabase(PEOPLE)
  const fail = (error: Error): never => {
    throw error
  }
  const library = await createModuleLibrary({ schemasDir: 'schemas', database, onError: fail })
  const scope = { tenantId: 'xinghai', userId: 'u-admin' }
  const read = () => database.tenant(scope, (trx) => library.within(trx, scope.tenantId))
  const labels = ({ modules }: Awaited<ReturnType<typeof read>>) => modules.get('customer')?.label

  const first = await read()
  expect(await read()).toBe(first)

  const seen: unknown[] = []
  const taken = database.tenant(scope, async (trx) => {
    const description = { name: 'customer', label: '客户档案' }
    const said = { name: 'customer', version: 1, kind: 'difference', description, deleted: false } as const
    await addOverride(trx, scope, said)
    seen.push(labels(await library.within(trx, scope.tenantId)))
    throw new Error('taken back')
  })
  await expect(taken).rejects.toThrow('taken back')

  expect([...seen, labels(await read())]).toEqual(['客户档案', labels(first)])
  await library.close()
  await drop()
})

it('reports unknown names in a module file, and keeps the previous module, even after a restart', async () => {
  const { database, drop } = await openTestDatabase(PEOPLE)
  const schemasDir = await mkdtemp(join(tmpdir(), 'crm-modules-'))
  await cp('schemas/modules', join(schemasDir, 'modules'), { recursive: true })
  await cp('schemas/pages', join(schemasDir, 'pages'), { recursive: true })
  await cp('schemas/routes.json', join(schemasDir, 'routes.json'))
  const fail = (error: Error): never => {
    throw error
  }
  const dictionaries = async () => new Set(['customer_level'])
  const parts = { schemasDir, database, onError: fail }
  const first = await createModuleLibrary(parts)
  const file = join(schemasDir, 'modules/contact.json')
  const good = await readFile(file, 'utf8')
  await writeFile(
    file,
    good
      .replace('"module": "customer"', '"module": "custmer"')
      .replace('"/pages/customer/contact/index"', '"/pages/customer/contact/indx"'),
  )

  await expect
    .poll(() => first.problems().map(({ at, hint }) => `${at} ${hint}`), { timeout: 5000 })
    .toEqual([
      expect.stringMatching(/^\/fields\/\d+\/module 是不是“customer”？$/),
      '/pages/list 是不是“/pages/customer/contact/index”？',
    ])
  await first.close()
  const second = await createModuleLibrary({ ...parts, dictionaries })

  expect(second.vendor('contact')?.pages?.list).toBe('/pages/customer/contact/index')
  expect(second.problems().find(({ message }) => message.includes('custmer'))).toMatchObject({
    code: 'WORD_UNKNOWN',
    file: 'schemas/modules/contact.json',
    message: '模块中没有“custmer”',
    line: good.slice(0, good.indexOf('"module": "customer"')).split('\n').length,
  })
  expect(second.problems().map(({ message }) => message)).toContain('字典中没有“industry”')
  await second.close()
  await rm(schemasDir, { recursive: true })
  await drop()
})
