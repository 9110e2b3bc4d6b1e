import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTraceReader, readTracedDisk } from '../../../src/tools/load/traced-disk.ts'

const FOLDER = '/data/here'
let work: string
beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'crm-traced-'))
  await mkdir(join(work, 'base/db'), { recursive: true })
  await writeFile(join(work, 'base/db/old'), 'as it was')
})
afterEach(() => rm(work, { recursive: true, force: true }))

const hex = (text: string) =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

/** What survives a power cut after these calls, with their paths and texts in plain words instead of the hex of `strace -xx`. */
async function left(calls: readonly string[], chance?: () => number): Promise<Record<string, string>> {
  const read = createTraceReader(join(FOLDER, 'db'))
  const disk = await readTracedDisk(FOLDER, join(work, 'base'))
  for (const [n, call] of calls.entries()) {
    const said = call.replaceAll(/"([^"]*)"/g, (_, text: string) => `"${hex(text)}"`)
    const event = read(
      `7 ${n}.000000 ${said.replaceAll(/<(\/[^>]*)>/g, (_, path: string) => `<${hex(path)}>`)}`,
    )
    if (event !== null) disk.apply(event)
  }
  const into = await mkdtemp(join(work, 'left-'))
  await disk.leave(into, chance)
  const there = await readdir(into, { recursive: true, withFileTypes: true })
  const files = there.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [path.slice(into.length + 1), await readFile(path, 'utf8')])),
  )
}

const OPEN = `openat(AT_FDCWD</>, "${FOLDER}/db/new", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 5<${FOLDER}/db/new> <0.000010>`
const WRITE = `write(5<${FOLDER}/db/new>, "hello", 5) = 5 <0.000010>`
const SYNC = `fdatasync(5<${FOLDER}/db/new>) = 0 <0.000010>`
const RENAME = `rename("${FOLDER}/db/new", "${FOLDER}/db/final") = 0 <0.000010>`
const SYNC_FOLDER = `fsync(6<${FOLDER}/db>) = 0 <0.000010>`

it('data that was written but not synced is lost, and so is a new file', async () => {
  expect(await left([OPEN, WRITE])).toEqual({ 'db/old': 'as it was' })
  expect(await left([OPEN, WRITE, SYNC])).toEqual({ 'db/old': 'as it was', 'db/new': 'hello' })
})

it('a rename counts once its folder is synced', async () => {
  expect(await left([OPEN, WRITE, SYNC, RENAME])).toMatchObject({ 'db/new': 'hello' })
  expect(await left([OPEN, WRITE, SYNC, RENAME, SYNC_FOLDER])).toEqual({
    'db/old': 'as it was',
    'db/final': 'hello',
  })
  expect(await left(['unlink("old") = 0 <0.1>'])).toEqual({ 'db/old': 'as it was' })
  expect(await left(['unlink("old") = 0 <0.1>', SYNC_FOLDER])).toEqual({})
})

it('the contents of a folder that is not on disk are lost', async () => {
  const made = [
    `mkdir("${FOLDER}/f", 0777) = 0 <0.1>`,
    `openat(AT_FDCWD</>, "${FOLDER}/f/a", O_WRONLY|O_CREAT, 0666) = 5<${FOLDER}/f/a> <0.1>`,
    `write(5<${FOLDER}/f/a>, "x", 1) = 1 <0.1>`,
    `fsync(5<${FOLDER}/f/a>) = 0 <0.1>`,
  ]

  expect(await left(made)).toEqual({ 'db/old': 'as it was' })
  expect(await left([...made, `fsync(9<${FOLDER}>) = 0 <0.1>`])).toMatchObject({ 'f/a': 'x' })
})

it('traced calls are parsed in two parts, with offsets, in pieces, and if they failed', async () => {
  expect(
    await left([
      `pwrite64(5<${FOLDER}/db/old>, "AS", 2, 0 <unfinished ...>`,
      '<... pwrite64 resumed>) = 2 <0.2>',
      `pwritev(5<${FOLDER}/db/old>, [{iov_base="W", iov_len=1}, {iov_base="AS", iov_len=2}], 2, 6) = 3 <0.1>`,
      `pwrite64(5<${FOLDER}/db/old>, "??", 2, 0) = -1 ENOSPC (No space left on device) <0.1>`,
      `ftruncate(5<${FOLDER}/db/old>, 12) = 0 <0.1>`,
      `fsync(5<${FOLDER}/db/old>) = 0 <0.1>`,
    ]),
  ).toEqual({ 'db/old': 'AS it WAS\0\0\0' })
})

it('random parts of unsynced data survive, and synced data always does', async () => {
  const calls = [OPEN, WRITE, SYNC, `pwrite64(5<${FOLDER}/db/new>, "J", 1, 0) = 1 <0.1>`]

  expect(await left(calls, () => 0)).toMatchObject({ 'db/new': 'Jello' })
  expect(await left(calls, () => 0.9)).toMatchObject({ 'db/new': 'hello' })
})
