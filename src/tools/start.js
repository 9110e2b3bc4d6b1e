// `npm start`: builds if necessary, and serves. Plain JavaScript, because there is nearly always nothing to build, which the files' times tell; only
// if one of them differs, the build compares the contents.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The inputs and outputs of the build, as written by it. */
const INPUTS = join(ROOT, 'dist/.inputs')
/** The files' state when there was nothing to build. */
const SEEN = join(ROOT, 'dist/.seen')

// As `command.ts` does it, which would have to be built.
if (process.argv.length > 2) {
  const usage = 'usage: npm start (builds if necessary, and starts the server; settings: src/OPERATIONS.md)\n'
  const isAsked = process.argv.includes('--help')
  const stream = isAsked ? process.stdout : process.stderr
  stream.write(usage)
  process.exit(isAsked ? 0 : 2)
}

const begun = Date.now()
if (marks()?.text !== read(SEEN)) {
  await build()
  const now = marks()
  // Files written meanwhile may not be in the build.
  if (now !== null && now.last < begun) writeFileSync(SEEN, now.text)
}
await import('../../dist/server/main.js')

/** Time and size of each file; null if the build has not listed them. */
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

/** Loaded on demand: most starts do not need it. */
async function build() {
  const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'src/tools/build.ts')], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const code = await new Promise((done) => child.on('exit', done))
  if (code !== 0) process.exit(1)
}
