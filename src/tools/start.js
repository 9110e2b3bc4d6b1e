// `npm start`: builds what has to be built, and serves. Plain JavaScript, because nearly always there is nothing to build, and that is told
// by the times of the files alone; only where one of them is another, the build looks at what they say.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What is built from what, as the build wrote down: inputs and results. */
const INPUTS = join(ROOT, 'dist/.inputs')
/** The files as they were when there was nothing left to build. */
const SEEN = join(ROOT, 'dist/.seen')

const begun = Date.now()
if (marks()?.text !== read(SEEN)) {
  await build()
  const now = marks()
  // What is written meanwhile may not be in it.
  if (now !== null && now.last < begun) writeFileSync(SEEN, now.text)
}
await import('../../dist/server/main.js')

/** Time and size of each file; null where the build has not said which. */
function marks() {
  const names = read(INPUTS)
  if (names === null) return null
  const { inputs, results } = JSON.parse(names)
  let last = 0
  const lines = inputs.flatMap(filesAt).map((path) => {
    const { mtimeMs, ctimeMs, size } = statSync(join(ROOT, path))
    last = Math.max(last, mtimeMs, ctimeMs)
    return `${path} ${mtimeMs} ${ctimeMs} ${size}`
  })
  const made = results.map(
    (path) => `${path} ${statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs}`,
  )
  return { last, text: [...lines.sort(), ...made].join('\n') }
}

function filesAt(input) {
  const found = statSync(join(ROOT, input), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (found.isFile()) return [input]
  return readdirSync(join(ROOT, input), { withFileTypes: true }).flatMap((entry) => {
    const path = `${input}/${entry.name}`
    if (entry.isDirectory()) return filesAt(path)
    return entry.isFile() ? [path] : []
  })
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** By itself: most starts need nothing of it. */
async function build() {
  const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'src/tools/build.ts')], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const code = await new Promise((done) => child.on('exit', done))
  if (code !== 0) process.exit(1)
}
