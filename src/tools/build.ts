import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readArguments } from '../server/kernel/config/command.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STAMP = join(ROOT, 'dist/.stamp')
/** Read by `start.js`. */
const INPUTS = join(ROOT, 'dist/.inputs')

/** The inputs of each half of the build, and the file that proves it was built. Pages and fragments are data: never built. */
export const HALVES = {
  app: {
    mode: 'production',
    result: 'dist/app/index.html',
    inputs: [
      'src/app',
      'src/index.html',
      'src/contract',
      'src/workbench',
      'runtime',
      'schemas/text',
      'schemas/app.json',
      'schemas/page.schema.json',
      'schemas/routes.json',
      'src/tools/compile-hints.ts',
      'src/tools/part-loader.ts',
      'src/tools/shell-files.ts',
      'src/tools/view-words.ts',
      'src/tools/without-docs.ts',
    ],
  },
  server: {
    mode: 'server',
    result: 'dist/server/main.js',
    inputs: ['src/server', 'src/model', 'src/contract', 'runtime', 'schemas/text', 'schemas/app.json'],
  },
} as const
type Half = keyof typeof HALVES
const SHARED = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts']

/** Builds the halves whose sources changed since their last build, in parallel. @returns those that were built */
export async function buildStale(): Promise<readonly Half[]> {
  const halves = Object.keys(HALVES) as Half[]
  const checked = await Promise.all(halves.map(checkHalf))
  const stale = checked.filter((one) => one.stale)
  await Promise.all(stale.map(({ half }) => build(half)))
  await mkdir(join(ROOT, 'dist'), { recursive: true })
  await writeFile(INPUTS, JSON.stringify(inputsAndResults(halves)))
  if (stale.length > 0) {
    await writeFile(STAMP, JSON.stringify(Object.fromEntries(checked.map(({ half, hash }) => [half, hash]))))
  }
  return stale.map(({ half }) => half)
}

/** Whether the half in `dist` matches the current sources. */
export const isBuilt = async (half: Half): Promise<boolean> => !(await checkHalf(half)).stale

async function checkHalf(half: Half) {
  const hash = await hashOf([...HALVES[half].inputs, ...SHARED])
  const result = await stat(join(ROOT, HALVES[half].result)).catch(() => null)
  return { half, hash, stale: result === null || (await readStamp())[half] !== hash }
}

const inputsAndResults = (halves: readonly Half[]) => ({
  inputs: [...new Set([...SHARED, ...halves.flatMap((half) => HALVES[half].inputs)])],
  results: halves.map((half) => HALVES[half].result),
})

/** In a separate process: vite sets NODE_ENV, which has another meaning for our server. */
async function build(half: Half): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const { NODE_ENV: _, ...env } = process.env
  const child = spawn(process.execPath, [vite, 'build', '--mode', HALVES[half].mode, '--logLevel', 'warn'], {
    cwd: ROOT,
    env,
    // Standard input belongs to the calling command.
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise((done) => child.on('exit', done))
  if (code !== 0) throw new Error(`the build of ${half} failed`)
  if (half === 'app') await packFiles(join(ROOT, 'dist/app'))
}

const PACKED = /\.(?:js|css|html|svg|json|wasm)$/
const WORTH_BYTES = 1024

/** Writes `.br` and `.gz` beside compressible files, so that serving costs nothing. */
async function packFiles(folder: string): Promise<void> {
  const files = (await filesBelow(folder)).filter((file) => PACKED.test(file))
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      if (content.length < WORTH_BYTES) return
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, options))
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}

async function readStamp(): Promise<Partial<Record<Half, string>>> {
  try {
    return JSON.parse(await readFile(STAMP, 'utf8'))
  } catch {
    return {}
  }
}

async function hashOf(inputs: readonly string[]): Promise<string> {
  const files = (await Promise.all(inputs.map((input) => filesBelow(join(ROOT, input))))).flat().sort()
  const hash = createHash('sha256')
  // One by one: all at once are more than a container or a shell may open.
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

async function filesBelow(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null)
  if (found === null) return []
  if (found.isFile()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  readArguments('usage: npm run build (builds what changed since the last build)', {})
  const built = await buildStale()
  // Standard output of a command may be read by programs.
  process.stderr.write(built.length === 0 ? 'nothing to build\n' : `built ${built.join(' and ')}\n`)
}
