import { basename, join } from 'node:path'
import { buildForNode, ROOT } from './build-for-node.ts'

/** Bundles an entry of the server for a worker thread into one file. */
export async function buildThread(entry: string): Promise<URL> {
  const outDir = join(ROOT, `node_modules/.cache/threads/${basename(entry, '.ts')}-${process.pid}`)
  await buildForNode({
    outDir,
    input: join(ROOT, entry),
    output: { format: 'es', entryFileNames: 'thread.mjs', codeSplitting: false },
  })
  return new URL(`file://${outDir}/thread.mjs`)
}
