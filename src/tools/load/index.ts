import { spawn } from 'node:child_process'
import { readArguments } from '../../server/kernel/config/command.ts'
import { buildStale } from '../build.ts'
import { drive } from './drive.ts'
import { FULL, makeLargeData } from './large-data.ts'
import { mixed } from './mixed.ts'

/**
 * `data` fills DATABASE_URL; `drive` calls a running server and prints p50 and p99; `mixed` calls it at growing rates and prints what it answers and
 * refuses.
 */
const USAGE =
  'usage: npm run load -- data (into DATABASE_URL), npm run load -- drive [URL] [SECONDS], or npm run load -- mixed [URL] [SECONDS] [RATES] (50,100,200)'
/** How many words each act takes. */
const WORDS: Readonly<Record<string, number>> = { data: 1, drive: 3, mixed: 4 }
const { DATABASE_URL } = process.env

const [what, url = 'http://127.0.0.1:8080', seconds = '20', rates = '50,100,200,400,1600'] = readArguments(
  USAGE,
  { allowPositionals: true },
  ({ positionals }) => isUsage(positionals),
).positionals
const print = (line: string): void => void process.stdout.write(`${line}\n`)
if (what === 'data' && DATABASE_URL !== undefined) {
  await buildStale()
  await startOnce()
  await makeLargeData(DATABASE_URL, FULL, print)
} else if (what === 'drive') await drive({ url, seconds: Number(seconds), print: print })
else await mixed({ url, seconds: Number(seconds), rates: rates.split(',').map(Number), print: print })

function isUsage(words: readonly string[]): boolean {
  const [act = '', address = 'http:', time = '1', steps = '1'] = words
  if (words.length > (WORDS[act] ?? 0)) return false
  if (act === 'data') return Boolean(DATABASE_URL)
  return /^https?:/.test(address) && /^[1-9]\d*$/.test(time) && /^[1-9]\d*(?:,[1-9]\d*)*$/.test(steps)
}

/** The server creates tables and demo data at its first start. */
async function startOnce(): Promise<void> {
  const server = spawn(process.execPath, ['dist/server/main.js'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => server.on('exit', done))
  server.stdout.on('data', (part: Buffer) => {
    if (part.includes('ready http')) server.kill('SIGTERM')
  })
  await ended
}
