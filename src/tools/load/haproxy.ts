import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import type { Balancer } from './balancer.ts'

const SHIPPED = fileURLToPath(new URL('../../deploy/haproxy.cfg', import.meta.url))
/** Time in milliseconds from the signal until the new configuration applies. */
const RELOAD_MS = 500

/**
 * HAProxy with our shipped configuration (`src/deploy/haproxy.cfg`), in plain HTTP on 127.0.0.1, with these servers: each change of the servers is a
 * reload.
 *
 * @throws Error if there is no program `haproxy`, or it refuses the configuration
 */
export async function startHaproxy(): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const port = await freePort()
  const shipped = await readFile(SHIPPED, 'utf8')
  const servers = new Set<string>()
  const write = (): Promise<void> => writeFile(file, configured(shipped, port, servers))
  let proxy: ChildProcess | null = null

  /** HAProxy refuses a configuration without servers, so it starts with the first of them. */
  const apply = async (): Promise<void> => {
    await write()
    if (proxy !== null) proxy.kill('SIGUSR2')
    else {
      proxy = spawn('haproxy', ['-W', '-q', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] })
      await once(proxy, 'spawn')
    }
    await new Promise((done) => setTimeout(done, RELOAD_MS))
    if (proxy.exitCode !== null) throw new Error(`haproxy ended with ${proxy.exitCode}`)
  }
  let applied: Promise<void> = Promise.resolve()
  /** One reload after another, each with the current servers. */
  const applyInTurn = (): Promise<void> => {
    applied = applied.then(apply)
    return applied
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async add(server) {
      servers.add(server)
      await applyInTurn()
    },
    async remove(server) {
      servers.delete(server)
      await applyInTurn()
    },
    async close() {
      if (proxy !== null && proxy.exitCode === null) {
        const ended = once(proxy, 'exit')
        proxy.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The shipped configuration with the frontend in plain HTTP and with these servers instead of its own. */
function configured(shipped: string, port: number, servers: ReadonlySet<string>): string {
  const lines = [...servers].map((url, at) => `  server s${at} ${new URL(url).host}`)
  return `${shipped
    .replace(/^frontend http\n(?: .*\n)+/m, '')
    .replace(/^ {2}bind :443 .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^ {2}server .*\n/gm, '')}${lines.join('\n')}\n`
}
