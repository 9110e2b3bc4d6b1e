import { access, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVER_COMMANDS } from '../../support/server-commands.ts'
import { buildServer, runBuilt, startServer } from './built-server.ts'

let main: string
let work: string
beforeAll(async () => {
  main = await buildServer()
  work = await mkdtemp(join(tmpdir(), 'crm-commands-'))
})
afterAll(async () => {
  await rm(dirname(main), { recursive: true, force: true })
  await rm(work, { recursive: true, force: true })
})

const command = (name: string) => main.replace(/main\.js$/, `${name}.js`)

it.each(['main', ...SERVER_COMMANDS])('%s --help prints the usage, and does nothing', async (name) => {
  const DATA_DIR = join(work, `help-${name}`)

  const { code, output } = await runBuilt(command(name), ['--help'], { env: { DATA_DIR, PORT: '0' } })

  expect([code, output]).toEqual([0, expect.stringMatching(/^usage: n\S+ .*\n$/)])
  await expect(access(DATA_DIR)).rejects.toThrow('ENOENT')
})

it.each(['main', ...SERVER_COMMANDS])(
  '%s refuses an option and words it does not know with its usage, and does nothing',
  async (name) => {
    const env = { DATA_DIR: join(work, `wrong-${name}`), PORT: '0' }

    const answers = await Promise.all([
      runBuilt(command(name), ['--wrong-option'], { env }),
      runBuilt(command(name), Array(5).fill('wrongword'), { env }),
    ])

    const refused = { code: 2, output: expect.stringMatching(/usage: n\S+ .*\n$/) }
    expect(answers).toEqual([refused, refused])
    await expect(access(env.DATA_DIR)).rejects.toThrow('ENOENT')
  },
)

describe('a server that cannot listen says why before it makes a database', () => {
  let taken: Server
  beforeAll(async () => {
    taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  })
  afterAll(() => void taken.close())
  const port = () => String((taken.address() as AddressInfo).port)

  it.each<[string, () => Record<string, string>, RegExp]>([
    [
      'a taken port',
      () => ({ PORT: port() }),
      /^cannot start: PORT \d+ on 127\.0\.0\.1 is in use by another process: end it, or choose another PORT$/m,
    ],
    [
      'a taken port for metrics',
      () => ({ PORT: '0', METRICS_PORT: port() }),
      /^cannot start: METRICS_PORT \d+ on 127\.0\.0\.1 is in use .* choose another METRICS_PORT$/m,
    ],
    [
      'an address of another machine',
      () => ({ PORT: '0', HOST: '192.0.2.1' }),
      /^cannot start: HOST 192\.0\.2\.1 is no address of this machine: /m,
    ],
  ])('%s', async (_, env, sentence) => {
    const DATA_DIR = join(work, 'unheard')

    const server = await startServer(main, { DATA_DIR, SEED: 'none', ...env() })

    expect([await server.exited, server.output()]).toEqual([1, expect.stringMatching(sentence)])
    await expect(access(DATA_DIR)).rejects.toThrow('ENOENT')
  })
})

it('restore does either the check or the trial', async () => {
  const { code, output } = await runBuilt(command('restore'), ['any.backup', '--check', '--try'])

  expect([code, output]).toEqual([2, 'restore: usage: npm run restore -- FILE [--check | --try]\n'])
})

it('status says whether the job, the tenant or the token is wrong', async () => {
  const OPERATOR_TOKEN = 'the-token-of-the-operator'
  const env = { DATA_DIR: join(work, 'operated'), SEED: 'none', PORT: '0', OPERATOR_TOKEN }
  const server = await startServer(main, env)
  const status = (args: readonly string[], token = OPERATOR_TOKEN) =>
    runBuilt(command('status'), ['--url', server.url, ...args], { env: { OPERATOR_TOKEN: token } })

  const answers = [
    await status(['--run', 'nothing']),
    await status(['--run', 'recycle', '--tenant', 'nope']),
    await status(['--run', 'recycle'], 'another-token-of-somebody'),
  ]
  server.child.kill('SIGTERM')
  await server.exited

  expect(answers).toEqual(
    [
      /^status: there is no job nothing: the jobs are .*recycle/,
      /^status: recycle goes over all tenants by itself: run it without a tenant$/m,
      /^status: http:\S+ has another OPERATOR_TOKEN, or was started without one$/m,
    ].map((sentence) => ({ code: 1, output: expect.stringMatching(sentence) })),
  )
})

it('a folder for backups that is not there is reported, and not created', async () => {
  const env = { DATA_DIR: join(work, 'data'), BACKUP_DIR: join(work, 'not-mounted'), SEED: 'none', PORT: '0' }
  const server = await startServer(main, env)

  expect(server.output()).toContain(`WARNING: there is no folder BACKUP_DIR ${env.BACKUP_DIR}`)
  await expect
    .poll(server.output)
    .toMatch(/there is no folder .*not-mounted: make it, or mount what belongs there.*a backup failed/)

  server.child.kill('SIGTERM')
  await server.exited
  await expect(access(env.BACKUP_DIR)).rejects.toThrow('ENOENT')
})
