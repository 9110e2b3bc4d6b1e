import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { createInProcessScript } from '../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../runtime/sandbox/parse-for-scripts.ts'

/** `npm run case -- FILE [--keep] [--page DOCUMENT]`: does a recorded visit again. `--keep` makes it a test that `npm test` runs. */
const { readCase } = await import('../workbench/cases/case.ts')
const { replayCase } = await import('../workbench/cases/replay.ts')

const CASES = join(import.meta.dirname, '../../tests/cases')
const given = process.argv.slice(2)
const at = given.indexOf('--page')
const page = at < 0 ? undefined : given[at + 1]
const [path] = given.filter((one, i) => !one.startsWith('--') && (at < 0 || i !== at + 1))

const file = path === undefined ? null : readCase(await readFile(path, 'utf8'))
if (path === undefined || file === null) {
  console.error(path === undefined ? 'npm run case -- FILE [--keep] [--page DOCUMENT]' : `${path} is no case`)
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
for (const asked of unanswered) console.log(`asked and not answered: ${asked}`)
const isSame = problems.length + differences.length + unanswered.length === 0
console.log(`${file.page.path}: ${file.acts.length} acts, ${isSame ? 'ends as it did' : 'ends otherwise'}`)
if (isSame && given.includes('--keep')) {
  await mkdir(CASES, { recursive: true })
  await copyFile(path, join(CASES, basename(path)))
  console.log(`kept as tests/cases/${basename(path)}`)
}
process.exitCode = isSame ? 0 : 1
