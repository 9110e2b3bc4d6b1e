import { spawn } from 'node:child_process'
import { buildStale } from '../build.ts'
import { drive } from './drive.ts'
import { FULL, makeLargeData } from './large-data.ts'
import { mixed } from './mixed.ts'

/**
 * `npm run load -- data` fills DATABASE_URL; `npm run load -- drive [URL] [SECONDS]` calls a running server and prints p50 and p99; `npm run load --
 * mixed [URL] [SECONDS] [RATES]` calls it at growing rates and prints what it answers and refuses.
 */
const [what, url = 'http://127.0.0.1:8080', seconds = '20', rates = '50,100,200,400,1600'] =
  process.argv.slice(2)
const { DATABASE_URL } = process.env
const print = (line: string): void => void process.stdout.write(`${line}\n`)
if (what === 'data' && DATABASE_URL !== undefined) {
  await buildStale()
  await startOnce()
  await makeLargeData(DATABASE_URL, FULL, print)
} else if (what === 'drive') await drive({ url, seconds: Number(seconds), print: print })
else if (what === 'mixed')
  await mixed({ url, seconds: Number(seconds), rates: rates.split(',').map(Number), print: print })
else {
  print('DATABASE_URL=… npm run load -- data   |   drive [URL] [SECONDS]   |   mixed [URL] [SECONDS] [RATES]')
  process.exitCode = 1
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
