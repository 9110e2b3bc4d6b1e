import { access, copyFile, mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createServer } from 'vite'
import { readArguments, refuseUse } from '../server/kernel/config/command.ts'

const USAGE =
  'usage: npm run case -- FILE [--keep] [--page DOCUMENT] (replays a recorded visit; --keep makes it a test that npm test runs)'

const {
  values: { keep, page },
  positionals,
} = readArguments(
  USAGE,
  { allowPositionals: true, options: { keep: { type: 'boolean' }, page: { type: 'string' } } },
  (given) => given.positionals.length === 1,
)
const path = positionals[0] as string
for (const file of page === undefined ? [path] : [path, page])
  await access(file).catch(() => refuseUse(USAGE, `there is no file ${file}`))

// Page code runs in a guest whose sources only the bundler can import.
const ROOT = join(import.meta.dirname, '../..')
const vite = await createServer({
  configFile: false,
  root: ROOT,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
})
const load = async <T>(path: string): Promise<T> => (await vite.ssrLoadModule(join(ROOT, path))) as T
const { readCase } = await load<typeof import('../workbench/cases/case.ts')>('src/workbench/cases/case.ts')
const { replayCase } = await load<typeof import('../workbench/cases/replay.ts')>(
  'src/workbench/cases/replay.ts',
)
const { createRegistry } = await load<typeof import('../../runtime/core/widgets/index.ts')>(
  'runtime/core/widgets/index.ts',
)
const { createInProcessScript } = await load<typeof import('../../runtime/sandbox/in-process.ts')>(
  'runtime/sandbox/in-process.ts',
)
const { nodeQuickJs } = await load<typeof import('../../runtime/sandbox/node-quickjs.ts')>(
  'runtime/sandbox/node-quickjs.ts',
)
const { parseForScripts } = await load<typeof import('../../runtime/sandbox/parse-for-scripts.ts')>(
  'runtime/sandbox/parse-for-scripts.ts',
)

const CASES = join(ROOT, 'tests/cases')

const file = readCase(await readFile(path, 'utf8'))
if (file === null) {
  console.error(`${path} is no case`)
  await vite.close()
  process.exit(2)
}
const { differences, unanswered, problems } = await replayCase(file, {
  registry: createRegistry(),
  script: createInProcessScript(nodeQuickJs, parseForScripts),
  turn: () => new Promise((done) => setTimeout(done, 0)),
  ...(page === undefined ? {} : { document: JSON.parse(await readFile(page, 'utf8')) }),
})
for (const problem of problems) console.log(`does not open: ${problem}`)
for (const { what, was, is } of differences)
  console.log(`${what}: was ${JSON.stringify(was)}, is ${JSON.stringify(is)}`)
for (const question of unanswered) console.log(`asked and not answered: ${question}`)
const isSame = problems.length + differences.length + unanswered.length === 0
console.log(`${file.page.path}: ${file.acts.length} acts, ${isSame ? 'ends as it did' : 'ends otherwise'}`)
if (isSame && keep) {
  await mkdir(CASES, { recursive: true })
  await copyFile(path, join(CASES, basename(path)))
  console.log(`kept as tests/cases/${basename(path)}`)
}
process.exitCode = isSame ? 0 : 1
await vite.close()
