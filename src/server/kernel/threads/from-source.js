// Runs a thread from its TypeScript source, for tests: the module is the thread's first argument. As in a build it is one file, which the first thread of a
// process makes and the others load. Builds do not need it.
import { readFileSync, renameSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

const source = fileURLToPath(process.argv[2] ?? '')
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/threads/', import.meta.url))
const bundle = `${cache}${basename(source, '.ts')}-${process.pid}.mjs`
const startedAt = Date.now() - process.uptime() * 1000

/** Files that are imported as texts, with `?raw`. */
const texts = {
  name: 'texts',
  setup(build) {
    build.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -'?raw'.length)),
      namespace: 'text',
    }))
    build.onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'text',
    }))
  },
}

// An older file is that of a process that had this id before.
if ((statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0) < startedAt) {
  const { build } = await import('esbuild')
  const outfile = `${bundle}.${threadId}`
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'node20',
    plugins: [texts],
  })
  renameSync(outfile, bundle)
}
await import(bundle)
