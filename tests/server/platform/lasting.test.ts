import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import { makeFolder } from '../../../src/server/kernel/db/durable.ts'
import { createFileStore } from '../../../src/server/kernel/files/file-store.ts'
import { sessionSecret } from '../../../src/server/kernel/security/session-secret.ts'

const ROOT = join(import.meta.dirname, '../../..')
let folder: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'crm-lasting-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Told {
  readonly ph: string
  readonly name: string
  readonly args: { readonly path?: string; readonly new_path?: string; readonly dest?: string }
}

/** System calls of a process in order: what it wrote to disk, and which names it created. */
async function asked(script: string): Promise<readonly string[]> {
  const trace = join(folder, 'trace.json')
  const node = ['--import', 'tsx', '--trace-event-categories', 'node.fs.async']
  await promisify(execFile)(
    process.execPath,
    [...node, '--trace-event-file-pattern', trace, '--input-type=module', '-e', script],
    { cwd: ROOT },
  )
  const { traceEvents } = JSON.parse(await readFile(trace, 'utf8')) as { traceEvents: readonly Told[] }
  let open = ''
  return traceEvents.flatMap(({ ph, name, args }) => {
    if (ph !== 'b') return []
    if (name === 'open') open = args.path ?? ''
    const to = args.new_path ?? args.dest
    if (name === 'fsync') return [`sync ${open.replace(folder, '')}`]
    return to?.startsWith(folder) ? [`${name} ${to.replace(folder, '')}`] : []
  })
}
const from = (path: string) => JSON.stringify(join(ROOT, 'src/server/kernel', path))

describe('data that must survive a power loss', () => {
  it('of an upload is on disk, with its name and folders, before it counts as written', async () => {
    const steps = await asked(`
      import { createFileStore } from ${from('files/file-store.ts')}
      await createFileStore(${JSON.stringify(join(folder, 'files'))}).write('xinghai', 'id-1', Buffer.from('it'))`)

    const named = steps.indexOf('rename /files/xinghai/-1/id-1')
    expect(steps[named - 1]).toBe('sync /files/xinghai/-1/id-1.part')
    expect(steps.slice(named + 1)).toEqual([
      'sync /files/xinghai/-1',
      'sync /files/xinghai',
      'sync /files',
      'sync ',
    ])
  })

  it('of a generated secret is on disk before it signs anything', async () => {
    const steps = await asked(`
      import { sessionSecret } from ${from('security/session-secret.ts')}
      await sessionSecret({ sessionSecret: undefined, dataDir: ${JSON.stringify(folder)} })`)

    expect(steps).toEqual([
      expect.stringMatching(/^sync \/session-secret\.\S+\.part$/),
      'link /session-secret',
      'sync ',
    ])
  })
})

it('is no secret if the file is empty, as after a power loss', async () => {
  const dataDir = await mkdtemp(join(folder, 'secret-'))
  await writeFile(join(dataDir, 'session-secret'), '')

  await expect(sessionSecret(readConfig({ DATA_DIR: dataDir }))).rejects.toThrow(
    /session-secret is empty: put the secret back/,
  )
})

it('includes no remains of an aborted upload', async () => {
  const files = createFileStore(join(folder, 'broken-off'))
  await makeFolder(join(folder, 'broken-off/t/ab'))
  await writeFile(join(folder, 'broken-off/t/ab/file-ab.part'), 'half')

  await files.remove('t', 'file-ab')

  expect(await readdir(join(folder, 'broken-off/t/ab'))).toEqual([])
})

it('is in a folder created with its parents; a file in its place is reported', async () => {
  const deep = join(folder, 'one/two/three')

  await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(dirname(deep))])
  await writeFile(join(folder, 'file'), '')

  expect(await readdir(dirname(deep))).toEqual(['three'])
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(folder, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})
