import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** The effect of one completed system call on the files of a folder. */
export interface DiskEvent {
  /** Time of its end, in seconds since the epoch. */
  readonly at: number
  readonly call: 'open' | 'write' | 'size' | 'sync' | 'rename' | 'link' | 'unlink' | 'mkdir'
  readonly path: string
  /** The second name of `rename` and `link`. */
  readonly to?: string
  /** Of `write`; null: after the previous write. */
  readonly offset?: number | null
  readonly data?: Buffer
  /** Of `size`; with `grows` the file can only become larger. */
  readonly size?: number
  readonly grows?: boolean
  /** Of `open`: the file is truncated or created. */
  readonly truncates?: boolean
  readonly makes?: boolean
}

/** Arguments of `strace` for output that {@link readTrace} understands. */
export const STRACE = [
  ...[
    '-f',
    '-y',
    '-ttt',
    '-T',
    '-xx',
    '-s',
    '67108864',
    '--seccomp-bpf',
    '-qq',
    '-I',
    '2',
    '-e',
    'signal=none',
  ],
  ...[
    '-e',
    'trace=open,openat,creat,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,ftruncate,truncate,fallocate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat',
  ],
]

const LINE = /^(\d+)\s+(\d+\.\d+) (.*)$/s
const DONE = /^(\w+)\((.*)\)\s+= (-?\d+)(?:<[^>]*>)?(?: .*?)?(?: <(\d+\.\d+)>)?$/s

/** Parses lines of `strace` into events; calls that are reported in two parts are joined. @param cwd  base of relative paths */
export function createTraceReader(cwd: string): (line: string) => DiskEvent | null {
  const begun = new Map<string, string>()
  return (line) => {
    const [, pid = '', time = '', entry = ''] = LINE.exec(line) ?? []
    if (entry.endsWith(' <unfinished ...>')) {
      begun.set(pid, entry.slice(0, -' <unfinished ...>'.length))
      return null
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/s.exec(entry)?.[1]
    const fullLine = rest === undefined ? entry : (begun.get(pid) ?? '') + rest
    const [, call = '', args = '', result = '-1', took = '0'] = DONE.exec(fullLine) ?? []
    if (Number(result) < 0) return null
    const at = Number(time) + (rest === undefined ? Number(took) : 0)
    return eventOf({ at, call, args, result: Number(result) }, cwd)
  }
}

interface TracedCall {
  readonly at: number
  readonly call: string
  readonly args: string
  readonly result: number
}

function eventOf({ at, call, args, result }: TracedCall, cwd: string): DiskEvent | null {
  const of = pathOf(args)
  const [one = '', other = ''] = pathsIn(args, cwd)
  if (/^(?:open|openat|creat)$/.test(call)) {
    const [truncates, makes] = [
      /O_TRUNC/.test(args) || call === 'creat',
      /O_CREAT/.test(args) || call === 'creat',
    ]
    return truncates || makes ? { at, call: 'open', path: one, truncates, makes } : null
  }
  if (/write/.test(call)) {
    const data = Buffer.concat(
      [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => bytesOf(hex)),
    )
    const place = call === 'pwritev2' ? /(\d+), \w+$/ : /(\d+)$/
    const offset = call.startsWith('p') ? Number(place.exec(args)?.[1]) : null
    return { at, call: 'write', path: of, offset, data: data.subarray(0, result) }
  }
  if (call === 'fsync' || call === 'fdatasync') return { at, call: 'sync', path: of }
  if (call === 'ftruncate') return { at, call: 'size', path: of, size: Number(/(\d+)$/.exec(args)?.[1]) }
  if (call === 'truncate') return { at, call: 'size', path: one, size: Number(/(\d+)$/.exec(args)?.[1]) }
  if (call === 'fallocate') {
    const [, from, length] = /(\d+), (\d+)$/.exec(args) ?? []
    return { at, call: 'size', path: of, size: Number(from) + Number(length), grows: true }
  }
  if (call.startsWith('rename')) return { at, call: 'rename', path: one, to: other }
  if (call.startsWith('link')) return { at, call: 'link', path: one, to: other }
  if (call.startsWith('unlink')) return { at, call: 'unlink', path: one }
  return call.startsWith('mkdir') ? { at, call: 'mkdir', path: one } : null
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const wordOf = (text: string): string => (text.startsWith('\\x') ? bytesOf(text).toString() : text)

/** The path of the file in the first argument. */
const pathOf = (args: string): string => wordOf(/^\d+<([^>]*)>/.exec(args)?.[1] ?? '')

/** The named paths, each resolved from its folder or from `cwd`. */
function pathsIn(args: string, cwd: string): readonly string[] {
  return [...args.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"/g)].map(([, folder, name = '']) => {
    const word = wordOf(name)
    return word.startsWith('/') ? word : join(folder === undefined ? cwd : wordOf(folder), word)
  })
}

/** A file or folder: its state on disk, and the operations requested since. */
interface File {
  readonly isFolder: boolean
  synced: Buffer
  pending: DiskEvent[]
  cursor: number
}

/** The files of a folder after the requested operations, and what a power loss leaves of them. */
export interface TracedDisk {
  /** Applies events, which must be in the order of time. */
  apply(event: DiskEvent): void
  /**
   * Writes into `into` what is left after a power loss at this moment: names and contents that were followed by an `fsync` (for a new file, its name
   * with its contents, as on Linux file systems).
   *
   * @param chance  random numbers (0 to 1) that decide which parts of unsynced data are left; absent: none
   */
  leave(into: string, chance?: () => number): Promise<void>
}

/**
 * @param folder  its path for the traced processes
 * @param base  a copy from before they started
 */
export async function readTracedDisk(folder: string, base: string): Promise<TracedDisk> {
  const files = new Map<string, File>()
  for (const entry of await readdir(base, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) files.set(relative(base, path), newFile(true))
    else if (entry.isFile()) files.set(relative(base, path), newFile(false, await readFile(path)))
  }
  files.set('', newFile(true))
  const lasting = new Map(files)
  const isKnown = (path: string): boolean => path === folder || path.startsWith(`${folder}/`)
  return {
    apply(event) {
      if (!isKnown(event.path)) return
      const name = relative(folder, event.path)
      if (event.call === 'sync') sync(files, lasting, name)
      else if (event.call === 'unlink') files.delete(name)
      else if (event.call === 'mkdir') files.set(name, newFile(true))
      else if (event.call === 'rename' || event.call === 'link')
        rename(files, name, relative(folder, event.to ?? ''), event.call)
      else change(files, name, event)
    },
    async leave(into, chance) {
      for (const [name, { isFolder }] of lasting)
        if (isFolder) await mkdir(join(into, name), { recursive: true, mode: 0o700 })
      for (const [name, { isFolder, synced, pending }] of lasting) {
        if (isFolder || !foldersOf(name).every((one) => lasting.get(one)?.isFolder)) continue
        const more =
          chance === undefined
            ? []
            : pending.flatMap((event) => (chance() < 0.5 ? partOf(event, chance) : []))
        await writeFile(join(into, name), more.reduce(changed, Buffer.from(synced)), { mode: 0o600 })
      }
    },
  }
}

const newFile = (isFolder: boolean, synced: Buffer = Buffer.alloc(0)): File => ({
  isFolder,
  synced,
  pending: [],
  cursor: 0,
})

const folderOf = (name: string): string => (dirname(name) === '.' ? '' : dirname(name))
const foldersOf = (name: string): readonly string[] =>
  name === '' ? [] : [folderOf(name), ...foldersOf(folderOf(name))]

function sync(files: Map<string, File>, lasting: Map<string, File>, name: string): void {
  const file = files.get(name)
  if (file === undefined) return
  file.synced = file.pending.reduce(changed, file.synced)
  file.pending = []
  if (!file.isFolder) {
    if (![...lasting.values()].includes(file)) lasting.set(name, file)
    return
  }
  for (const one of new Set([...files.keys(), ...lasting.keys()])) {
    if (one === '' || folderOf(one) !== name) continue
    const now = files.get(one)
    if (now === undefined) lasting.delete(one)
    else lasting.set(one, now)
  }
}

/** Renaming a folder also renames its contents. */
function rename(files: Map<string, File>, name: string, to: string, how: 'rename' | 'link'): void {
  for (const [one, file] of [...files]) {
    if (one !== name && !one.startsWith(`${name}/`)) continue
    files.set(to + one.slice(name.length), file)
    if (how === 'rename') files.delete(one)
  }
}

function change(files: Map<string, File>, name: string, event: DiskEvent): void {
  if (event.call === 'open' && event.makes !== true && !files.has(name)) return
  const file = files.get(name) ?? newFile(false)
  files.set(name, file)
  if (event.call === 'open') {
    file.cursor = 0
    if (event.truncates === true) file.pending.push({ ...event, call: 'size', size: 0 })
    return
  }
  const offset = event.offset ?? file.cursor
  if (event.call === 'write') file.cursor = offset + (event.data?.length ?? 0)
  file.pending.push({ ...event, offset })
}

/** The contents of a file after a change. */
function changed(
  content: Buffer,
  { call, size = 0, grows = false, offset, data = Buffer.alloc(0) }: DiskEvent,
): Buffer {
  const length =
    call === 'size'
      ? grows
        ? Math.max(size, content.length)
        : size
      : Math.max(content.length, (offset ?? 0) + data.length)
  let next = content
  if (length > content.length) next = Buffer.concat([content, Buffer.alloc(length - content.length)])
  else if (length < content.length) next = Buffer.from(content.subarray(0, length))
  if (call === 'write') data.copy(next, offset ?? 0)
  return next
}

const PAGE_BYTES = 4_096

/** Some pages of a write that was running. */
function partOf(event: DiskEvent, chance: () => number): readonly DiskEvent[] {
  const { call, data, offset } = event
  if (call !== 'write' || data === undefined) return [event]
  return Array.from({ length: Math.ceil(data.length / PAGE_BYTES) }, (_, page) => ({
    ...event,
    offset: (offset ?? 0) + page * PAGE_BYTES,
    data: data.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES),
  })).filter(() => chance() < 0.5)
}
