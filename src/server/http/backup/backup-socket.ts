import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/*
 * The embedded database belongs to the server's process, so only that process can read a backup while it runs. The command asks it through a separate
 * port, which listens on this machine only. The port and a token are in a file of the data folder, which only the server's account can read.
 */

/** The parameters of the command. */
export interface BackupRequest {
  readonly withFiles: boolean
  readonly withSecrets: boolean
}

/** Writes the frames of a backup and ends `out`. */
export type WriteBackup = (wanted: BackupRequest, out: Writable) => Promise<unknown>

interface Sign {
  readonly port: number
  readonly word: string
}

const signOf = (dataDir: string): string => join(dataDir, 'operator.json')

/** Opens the port. @returns a function that closes it */
export async function openBackupSocket(dataDir: string, give: WriteBackup): Promise<() => Promise<void>> {
  const word = randomBytes(32).toString('base64url')
  const server = createServer((request, response) => void answer(request, response, { word, give }))
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(0, '127.0.0.1', done)
  })
  server.unref()
  const { port } = server.address() as AddressInfo
  await writeFile(signOf(dataDir), JSON.stringify({ port, word } satisfies Sign), { mode: 0o600 })
  return async () => {
    await rm(signOf(dataDir), { force: true })
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
}

interface Keeper {
  readonly word: string
  readonly give: WriteBackup
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { word, give }: Keeper,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://door')
  if (!isWord(request.headers.authorization ?? '', word) || pathname !== '/backup') {
    response.writeHead(404).end()
    return
  }
  const wanted = { withFiles: searchParams.has('files'), withSecrets: searchParams.has('secrets') }
  // A broken-off backup has no end marker, which the command checks.
  await give(wanted, response).catch(() => response.destroy())
}

function isWord(given: string, word: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(word)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Asks the server of a data folder for a backup. @throws Error with a message if it does not answer */
export async function requestBackup(
  dataDir: string,
  { withFiles, withSecrets }: BackupRequest,
): Promise<Readable> {
  const busy = 'a server works on this folder and gives no backup: stop it, then back up'
  const sign = await readFile(signOf(dataDir), 'utf8').catch(() => {
    throw new Error(busy)
  })
  const { port, word } = JSON.parse(sign) as Sign
  const path = `/backup?${withFiles ? 'files&' : ''}${withSecrets ? 'secrets' : ''}`
  return new Promise((done, fail) => {
    const request = get({ host: '127.0.0.1', port, path, headers: { authorization: word } }, (response) =>
      response.statusCode === 200 ? done(response) : fail(new Error(busy)),
    )
    request.once('error', (error) => fail(new Error(`${busy} (${error.message})`)))
  })
}
