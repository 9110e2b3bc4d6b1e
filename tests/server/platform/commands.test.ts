import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

it.each(['main', 'setup', 'password', 'migrate', 'backup', 'restore', 'files', 'status', 'tenant', 'person'])(
  '%s --help prints the usage, and does nothing',
  async (name) => {
    const DATA_DIR = join(work, `help-${name}`)

    const { code, output } = await runBuilt(command(name), ['--help'], { env: { DATA_DIR, PORT: '0' } })

    expect([code, output]).toEqual([0, expect.stringMatching(/^usage: n\S+ .*\n$/)])
    await expect(access(DATA_DIR)).rejects.toThrow('ENOENT')
  },
)

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
