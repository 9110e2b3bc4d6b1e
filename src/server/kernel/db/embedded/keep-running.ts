import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const READY_MS = 60_000
/** A server that is told to stop writes what it holds; after this time it is killed, and recovers at the next start. */
const STOP_MS = 8_000
const FIRST_WAIT_MS = 200
const LAST_WAIT_MS = 10_000
const WORDS = 2_000

/**
 * Runs PostgreSQL and stops it when its input (file 3) ends, which also happens when our process dies. The watcher is killed with the group once
 * PostgreSQL has ended.
 */
export const WATCHER = '"$@" 3<&- & p=$!; (cat <&3 >/dev/null; kill -INT $p 2>/dev/null) & wait $p'

/** A server that is kept running. */
export interface Running {
  /** Stops it, and waits until it has ended. */
  stop(): Promise<void>
}

export interface RunningParts {
  /** Runs `WATCHER`: the server ends when file 3 of the process does. */
  readonly start: () => ChildProcess
  readonly url: string
  /** The log file. */
  readonly log: string
  readonly onError: (error: Error) => void
}

/**
 * Starts the server, and restarts it whenever it ends by itself.
 *
 * @throws Error with its last output if it does not start
 */
export async function keepRunning({ start, url, log, onError }: RunningParts): Promise<Running> {
  let isStopped = false
  let failures = 0
  let child = start()
  let over = watch(child)
  try {
    await answering(url, child)
  } catch (error) {
    end(child)
    await over
    throw new Error(`${(error as Error).message}${await lastWords(log)}`)
  }
  void again()
  return {
    async stop() {
      isStopped = true
      end(child)
      const cut = setTimeout(() => signal(child, 'SIGKILL'), STOP_MS)
      await over
      clearTimeout(cut)
    },
  }

  async function again(): Promise<void> {
    for (;;) {
      const began = performance.now()
      const code = await over
      if (isStopped) return
      failures = performance.now() - began > LAST_WAIT_MS ? 0 : failures + 1
      onError(
        new Error(`the embedded database ended with ${code} and is started again${await lastWords(log)}`),
      )
      await pause(Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures))
      if (isStopped) return
      child = start()
      over = watch(child)
    }
  }
}

/** @returns how the server ended; no process of its group is left then */
function watch(child: ChildProcess): Promise<string> {
  return new Promise((done) => {
    child.once('error', (error) => done(error.message))
    child.once('exit', (code, cause) => {
      signal(child, 'SIGKILL')
      done(String(code ?? cause))
    })
  })
}

/** Closes its input, which stops the server. */
function end(child: ChildProcess): void {
  const input = child.stdio[3]
  if (input !== null && input !== undefined) input.destroy()
}

/** Signals its whole group. */
function signal(child: ChildProcess, name: 'SIGKILL'): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name)
  } catch {
    // They have ended.
  }
}

/** Waits until a session begins. */
async function answering(url: string, child: ChildProcess): Promise<void> {
  const end = performance.now() + READY_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    try {
      await client.connect()
      return
    } catch {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error('the embedded database did not start')
      if (performance.now() > end) throw new Error('the embedded database did not start in time')
      await pause(20)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

async function lastWords(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  return text === '' ? '' : `: ${text.slice(-WORDS).trim()}`
}
