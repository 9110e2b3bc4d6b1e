import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockFolder } from '../../../src/server/kernel/db/folder-lock.ts'
import { startEmbedded } from '../../../src/tools/load/servers.ts'
import { torture } from '../../../src/tools/load/torture.ts'
import { removeData } from '../../../src/tools/remove-data.ts'
import { long } from '../../support/long.ts'
import {
  buildServer,
  seededFolder as demoFolder,
  newDataFolder,
  runBuilt,
  type ServerProcess,
  startServer,
} from './built-server.ts'

let main: string
/** Demo data created once; tests that start with demo data copy it. */
let seeded: string
const folders: string[] = []
const servers: ServerProcess[] = []

beforeAll(async () => {
  main = await buildServer()
  seeded = await demoFolder(main, await folder())
}, 120_000)
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGKILL')
  for (const folder of folders) await removeData(folder)
  await rm(dirname(main), { recursive: true, force: true })
})

const PORT = '0'
async function folder(): Promise<string> {
  const made = await newDataFolder()
  folders.push(made)
  return made
}
async function seededFolder(): Promise<string> {
  const made = await folder()
  await cp(seeded, made, { recursive: true })
  return made
}
async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer(main, { PORT, SEED: 'demo', ...env })
  servers.push(server)
  return server
}
async function call(url: string, path: string, body: object, token = '') {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { meta: { code: number; message: string }; data: { token: string } }
}
async function signIn(url: string, account = 'admin'): Promise<string> {
  const body = { account, password: 'Crm@2026', agree: true, deviceId: 'test' }
  return (await call(url, '/mini/login/validate', body)).data.token
}

const said = (title: string) => ({
  formConfig: { page: { title } },
  widgetList: [{ type: 'static-text', id: 'hello', options: { name: 'hello', textContent: title } }],
})

describe('a server process', () => {
  it(
    'loses no acknowledged write and duplicates none when it or its database is killed during writes',
    long,
    async () => {
      const dataDir = await seededFolder()

      const killed = await startEmbedded(main, dataDir)
      const { acknowledged, backMs, longestMs, ...wrong } = await torture({
        servers: killed,
        rounds: 5,
        print: () => undefined,
      }).finally(() => killed.end())

      expect(wrong).toEqual({ lost: [], twice: [], refused: [] })
      expect(backMs).toHaveLength(5)
      expect(longestMs).toBeGreaterThan(0)
      expect(acknowledged).toBeGreaterThan(10) // three before each kill, and one after
    },
  )

  it('that is killed while it publishes several changes has made all of them or none', long, async () => {
    const DATA_DIR = await seededFolder()
    const ends: string[] = []
    for (const ms of [2, 150]) {
      const server = await start({ DATA_DIR })
      const token = await signIn(server.url)
      const send = (path: string, body: object) =>
        call(
          server.url,
          `/engine/web/changeset/${path}`,
          { ...body, clientToken: crypto.randomUUID() },
          token,
        )
      const { data } = (await send('save', { title: `on ${ms}` })) as unknown as { data: { id: string } }
      const { id } = data
      const paths = ['a', 'b', 'c'].map((name) => `/pages/x/on${ms}/${name}`)
      const form = { label: `列${ms}`, kind: 'text' }
      await send('put', { id, kind: 'field', change: { module: 'customer', name: '', form } })
      for (const path of paths)
        await send('put', { id, kind: 'page', change: { path, base: 0, document: said(path) } })
      const published = send('publish', { id }).catch(() => null)
      await new Promise((done) => setTimeout(done, ms))
      server.child.kill('SIGKILL')
      await Promise.all([server.exited, published])

      const again = await start({ DATA_DIR })
      const read = async (path: string) => {
        const answer = await fetch(again.url + path, { headers: { authorization: token } })
        return (await answer.json()) as {
          data: { record?: { status: string }; live?: { label: string }[] }
        }
      }
      const { record } = (await read(`/engine/web/changeset/detail?id=${id}`)).data
      const fields = (await read('/engine/web/field/list?module=customer')).data.live ?? []
      const pages = await Promise.all(
        paths.map((path) =>
          fetch(`${again.url}/engine/web/page/detail?path=${path}`, {
            headers: { authorization: token },
          }).then((answer) => answer.text()),
        ),
      )
      const isThere = [
        fields.some(({ label }) => label === form.label),
        ...pages.map((page) => page.includes('widgetList')),
      ]
      expect(new Set(isThere), `${ms}: ${isThere}`).toEqual(new Set([record?.status === 'published']))
      ends.push(record?.status ?? '')
      again.child.kill('SIGTERM')
      await again.exited
    }
    expect(ends[0]).toBe('open')
  })

  describe('on one data folder', () => {
    let DATA_DIR: string
    let first: ServerProcess
    let token: string
    beforeAll(async () => {
      DATA_DIR = await seededFolder()
      first = await start({ DATA_DIR })
      token = await signIn(first.url)
    }, 60_000)

    it('refuses it while it is in use and names the holder, but takes it over from a dead one', async () => {
      const second = await start({ DATA_DIR })

      expect(second.url).toBe('')
      expect(await second.exited).toBe(1)
      expect(second.output()).toContain(`in use by process ${first.child.pid}`)
      first.child.kill('SIGKILL')
      await first.exited
      first = await start({ DATA_DIR })
      expect(first.url).not.toBe('')
    })

    it('keeps its generated secret, readable by its owner only, so that sessions survive a restart', async () => {
      const answer = await fetch(`${first.url}/mini/user/detail`, { headers: { authorization: token } })

      expect(((await answer.json()) as { meta: { code: number } }).meta.code).toBe(200)
      expect((await stat(join(DATA_DIR, 'session-secret'))).mode & 0o777).toBe(0o600)
    })

    it('answers a running call and ends its streams before it stops, and gives the folder back', async () => {
      const stream = await fetch(`${first.url}/engine/web/page/stream`)
      const body = JSON.stringify({ account: 'admin', password: 'Crm@2026', agree: true, deviceId: 'test' })
      const slow = request(`${first.url}/mini/login/validate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      })
      const answered = new Promise<string>((done, fail) => {
        slow.on('response', (response) => text(response).then(done, fail)).on('error', fail)
      })
      slow.write(body.slice(0, 20))
      await new Promise((done) => setTimeout(done, 300))

      first.child.kill('SIGTERM')
      await new Promise((done) => setTimeout(done, 200))
      slow.end(body.slice(20))

      expect(JSON.parse(await answered).meta.code).toBe(200)
      expect(await stream.text()).toContain(': open')
      expect(await first.exited).toBe(0)
      await expect(stat(join(DATA_DIR, 'server.lock'))).rejects.toThrow('ENOENT')
    })
  })

  it.each([
    ['without a secret', {}, 'SESSION_SECRET is required'],
    ['with a short secret', { SESSION_SECRET: 'short' }, 'at least 32'],
    ['with demo accounts', { SESSION_SECRET: 'x'.repeat(32), SEED: 'demo' }, 'SEED=demo is refused'],
  ])('does not start in production %s', async (_, env, message) => {
    const server = await start({ DATA_DIR: await folder(), NODE_ENV: 'production', SEED: '', ...env })

    expect(await server.exited).toBe(1)
    expect(server.output()).toContain(message)
  })

  it('logs an error that nothing awaits, without its values, and goes on', async () => {
    const careless = `process.on('SIGUSR2', () => Promise.reject(Object.assign(new Error('lost'), { typed: 139e8 + 1 })))`
    const server = await start({
      DATA_DIR: await seededFolder(),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(careless)}`,
    })

    server.child.kill('SIGUSR2')

    await expect.poll(() => server.output()).toContain('an error that nothing awaited')
    expect(server.output()).toContain('Error: lost')
    expect(server.output()).not.toContain('13900000001')
    expect(await signIn(server.url)).not.toBe('')
  })

  it('does not start in production while accounts of the demo data can sign in, unless configured', async () => {
    const env = {
      DATA_DIR: await seededFolder(),
      NODE_ENV: 'production',
      SESSION_SECRET: 'x'.repeat(32),
      SEED: '',
    }

    const refused = await start(env)

    expect(await refused.exited).toBe(1)
    expect(refused.output()).toMatch(/\d+ accounts of the demo data can sign in \(.*ALLOW_DEMO_ACCOUNTS=1/)
    const wanted = await start({ ...env, ALLOW_DEMO_ACCOUNTS: '1' })
    expect(wanted.url).not.toBe('')
    wanted.child.kill('SIGTERM')
    expect(await wanted.exited).toBe(0)
  })

  it('creates its first company by the setup command, and lists the pending migrations', async () => {
    const command = (name: string) => main.replace(/main\.js$/, `${name}.js`)
    const DATA_DIR = await seededFolder()
    const env = { DATA_DIR, NODE_ENV: 'production' }
    const options =
      '--tenant 长河机械 --account lizhen --name 李真 --mobile 13912345678 --password-stdin'.split(' ')

    const [unasked, made] = [
      await runBuilt(command('setup'), [], { env }),
      await runBuilt(command('setup'), options, { env, input: 'Chang-he2026\n' }),
    ]
    const left = await runBuilt(command('migrate'), ['--dry-run'], { env })
    const server = await start({ DATA_DIR })
    const again = await runBuilt(command('setup'), options, { env, input: 'Chang-he2026\n' })

    expect(unasked).toEqual({
      code: 1,
      output: 'setup: missing: --tenant, --account, --name, --mobile\n',
    })
    expect(made).toEqual({
      code: 0,
      output: 'made the tenant 长河机械 (changhejixie) and its administrator 李真, who signs in as lizhen\n',
    })
    expect(left.output).toMatch(/^the embedded database in .*: 0 migrations would run\n$/)
    // While the server is running.
    expect([again.code, again.output]).toEqual([
      1,
      expect.stringContaining('the tenant 长河机械 is there already: nothing was made'),
    ])
    const body = { account: 'lizhen', password: 'Chang-he2026', agree: true, deviceId: 'test' }
    expect((await call(server.url, '/mini/login/validate', body)).meta.code).toBe(200)
    expect(server.output()).toMatch(
      /^the embedded database in .*, PostgreSQL \d+[.\d]*, schema \d{4}-\S+ \(up to date\)/m,
    )
    server.child.kill('SIGTERM')
    await server.exited
  }, 120_000)

  it('has no demo accounts in production', async () => {
    const env = { DATA_DIR: await folder(), NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32), SEED: '' }
    const server = await start(env)
    const body = { account: 'admin', password: 'Crm@2026', agree: true, deviceId: 'test' }

    const answer = await call(server.url, '/mini/login/validate', body)

    expect(answer.meta).toMatchObject({ code: 400, message: '账号或密码错误' })
    server.child.kill('SIGTERM')
    await server.exited
  })

  it('names the unusable folder, and why', async () => {
    const parent = await folder()
    await writeFile(join(parent, 'file'), '')

    const server = await start({ DATA_DIR: join(parent, 'file', 'data') })

    expect(await server.exited).toBe(1)
    expect(server.output()).toMatch(
      /cannot start: DATA_DIR .*file\/data cannot be used: part of the path is a file/,
    )
  })
})

it('does not start on a folder without pages', async () => {
  const SCHEMAS_DIR = await folder()

  const server = await start({ DATA_DIR: await folder(), SCHEMAS_DIR })

  expect(await server.exited).toBe(1)
  expect(server.output()).toContain(`cannot start: SCHEMAS_DIR ${SCHEMAS_DIR} holds no pages`)
})

describe('the folder lock', () => {
  it('is given to exactly one of several processes that find it stale at once', async () => {
    const place = await folder()
    await mkdir(place, { recursive: true })
    for (let round = 0; round < 20; round++) {
      const dead = { pid: 2 ** 22 + 1, started: '1', since: 'long ago' }
      await writeFile(join(place, 'server.lock'), JSON.stringify(dead))

      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(place)))

      const won = tries.filter((one) => one.status === 'fulfilled')
      expect(won).toHaveLength(1)
      for (const one of won) await one.value()
    }
  })

  it('is not taken from a different process with the same id', async () => {
    const place = await folder()
    const reused = { pid: process.pid, started: '1', since: 'before the restart' }
    await writeFile(join(place, 'server.lock'), JSON.stringify(reused))

    const release = await lockFolder(place)

    expect(JSON.parse(await readFile(join(place, 'server.lock'), 'utf8')).pid).toBe(process.pid)
    await release()
  })
})
