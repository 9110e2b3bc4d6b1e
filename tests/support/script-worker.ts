import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const OUT = 'node_modules/.cache/script-worker'

/** Bundles a script worker into one file, like the product's build; returns its path and its source files. */
export async function buildScriptWorker(kind: 'node' | 'browser'): Promise<{ file: URL; chunks: number }> {
  const outDir = at(`${OUT}/${kind}-${process.pid}`)
  const built = await build({
    configFile: false,
    root: at('src'),
    logLevel: 'error',
    publicDir: false,
    ...(kind === 'node' ? { ssr: { noExternal: true } } : {}),
    build: {
      outDir,
      emptyOutDir: true,
      minify: kind === 'browser',
      ...(kind === 'node' ? { ssr: true, target: 'node20' } : {}),
      rolldownOptions: {
        input: at(`runtime/sandbox/${kind}-worker.ts`),
        output: {
          format: kind === 'node' ? 'es' : 'iife',
          entryFileNames: kind === 'node' ? 'script-worker.mjs' : 'script-worker.js',
          codeSplitting: false,
        },
      },
    },
  })
  const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : []
  const chunks = outputs.reduce((count, { output }) => count + output.length, 0)
  const name = kind === 'node' ? 'script-worker.mjs' : 'script-worker.js'
  return { file: new URL(`file://${outDir}/${name}`), chunks }
}
