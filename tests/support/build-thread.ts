import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Bundles an entry of the server for a worker thread into one file, as the product's build does. */
export async function buildThread(entry: string): Promise<URL> {
  const outDir = at(`node_modules/.cache/threads/${basename(entry, '.ts')}-${process.pid}`)
  await build({
    configFile: false,
    root: at('src'),
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: {
        input: at(entry),
        output: { format: 'es', entryFileNames: 'thread.mjs', codeSplitting: false },
      },
    },
  })
  return new URL(`file://${outDir}/thread.mjs`)
}
