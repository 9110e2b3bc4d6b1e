import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Threads of this server: each is an entry of the build beside `main` (`vite.config.ts`). */
const SOURCES = {
  'check-worker': '../pages/check-worker.ts',
  'sheet-worker': '../../flows/sheets/sheet-worker.ts',
  'verdict-worker': '../forms/verdict-worker.ts',
} as const

export type ThreadName = keyof typeof SOURCES
type Options = Pick<WorkerOptions, 'workerData' | 'resourceLimits'>

const HERE = import.meta.url

/** Starts a thread that has no access to the environment and does not keep the process alive. */
export function startThread(name: ThreadName, options: Options = {}): Worker {
  const { file, argv } = entryOf(name)
  const worker = new Worker(file, { ...options, argv: [...argv], env: {}, stdin: false })
  worker.unref()
  return worker
}

/** A built server is in one folder with its threads, and shared code is in a folder below; sources are compiled at the start. */
function entryOf(name: ThreadName): { readonly file: URL; readonly argv: readonly string[] } {
  if (!HERE.endsWith('.ts'))
    return { file: new URL(`${name}.js`, HERE.replace(/(?:assets\/)?[^/]*$/, '')), argv: [] }
  return { file: new URL('./from-source.js', HERE), argv: [new URL(SOURCES[name], HERE).href] }
}
