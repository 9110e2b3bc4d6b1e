import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { answerHelp, refuseUse } from '../server/kernel/config/command.ts'
import { createRestarts } from './restarts.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CONFIG = join(ROOT, 'vite.config.ts')
const CLIENT_PORT = 5173

const USAGE = 'usage: npm run dev [-- --inspect-brk] (or another option of Node that begins with --inspect)'

/**
 * `npm run dev`: the server, rebuilt and restarted after each change (its debugger listens on 9229), and the client served from its sources by Vite
 * on port 5173 (`DEV_PORT`). An argument is passed to the server's Node: `--inspect-brk`.
 */
async function dev(): Promise<void> {
  const apiPort = process.env.PORT ?? '8080'
  const api = `http://127.0.0.1:${apiPort}`
  const { NODE_ENV: _, ...env } = process.env
  answerHelp(USAGE)
  const [inspect = '--inspect', ...more] = process.argv.slice(2)
  if (more.length > 0 || !inspect.startsWith('--inspect')) refuseUse(USAGE)
  let server: ChildProcess | undefined
  const stop = async (): Promise<void> => {
    const old = server
    if (old !== undefined && old.exitCode === null) {
      const exited = new Promise((done) => old.once('exit', done))
      // Only one process can use the embedded database.
      old.kill('SIGTERM')
      await exited
    }
  }
  const start = (): void => {
    const args = [inspect, '--enable-source-maps', join(ROOT, 'dist/server/main.js')]
    server = spawn(process.execPath, args, { cwd: ROOT, env: { ...env, PORT: apiPort }, stdio: 'inherit' })
  }

  // In a separate process: building sets NODE_ENV to production, and the client below is served for development.
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const args = ['build', '--mode', 'server', '--watch', '--sourcemap', '--logLevel', 'info']
  const builder = spawn(process.execPath, [vite, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const restarts = createRestarts({ stop, start })
  createInterface(builder.stdout).on('line', (line) => {
    if (line.includes('build started')) restarts.began()
    if (line.includes('built in')) restarts.ended(true)
    if (/error/i.test(line)) process.stdout.write(`${line}\n`)
  })
  builder.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    process.stderr.write(chunk)
    if (/error/i.test(chunk)) restarts.ended(false)
  })

  const client = await createServer({
    configFile: CONFIG,
    server: {
      port: Number(process.env.DEV_PORT ?? CLIENT_PORT),
      strictPort: true,
      proxy: { '^/(?:mini|engine|healthz|readyz)(?:/|$)': { target: api } },
    },
  })
  await client.listen()
  process.stdout.write(`client ${client.resolvedUrls?.local[0] ?? ''} (calls go to ${api})\n`)

  const end = (): void => {
    builder.kill()
    server?.kill('SIGTERM')
    client.close().finally(() => process.exit(0))
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
}

await dev()
