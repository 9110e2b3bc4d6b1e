import { spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { readArguments } from '../server/kernel/config/command.ts'
import { withoutDocs } from './without-docs.ts'

/**
 * `npm run build:runtime`: the runtime as a package for other products, in `dist-runtime` (runtime/library/README.md). ES modules with imports of
 * packages kept, one style sheet, the worker as one file, types, texts by language.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A catalogue of user texts for each language; files with a longer name are for authors and servers. */
const TEXTS = join(ROOT, 'schemas/text')
/** Packages that the host provides and must have only once. */
const PEERS: ReadonlySet<string> = new Set(['react', 'react-dom', 'antd-mobile', 'antd-mobile-icons'])

/** @returns the names of the packages that the built modules import */
async function buildModules(to: string): Promise<ReadonlySet<string>> {
  const packages = new Set<string>()
  await build({
    ...SHARED,
    plugins: [
      react(),
      withoutDocs(),
      {
        name: 'note-packages',
        generateBundle(_, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type !== 'chunk') continue
            for (const name of [...chunk.imports, ...chunk.dynamicImports])
              if (!(name in bundle)) packages.add(packageOf(name))
          }
        },
      },
    ],
    build: {
      ...SHARED.build,
      outDir: to,
      cssCodeSplit: false,
      lib: {
        entry: { index: library('index.ts'), testing: library('testing.ts') },
        formats: ['es'],
        cssFileName: 'style',
      },
      rolldownOptions: {
        // Paths are our modules; bare names are packages of the host.
        external: (name) => !/^[./\0]/.test(name),
        output: { chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  })
  return packages
}

/** The worker with all its dependencies: it is loaded by its address and cannot import packages. */
async function buildWorker(to: string): Promise<void> {
  await build({
    ...SHARED,
    plugins: [withoutDocs()],
    build: {
      ...SHARED.build,
      outDir: to,
      emptyOutDir: false,
      lib: {
        entry: join(ROOT, 'runtime/sandbox/browser-worker.ts'),
        formats: ['es'],
        fileName: () => 'worker.js',
      },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
}

const library = (file: string): string => join(ROOT, 'runtime/library', file)
const SHARED = {
  configFile: false as const,
  root: join(ROOT, 'runtime'),
  publicDir: false as const,
  logLevel: 'warn' as const,
  define: { 'process.env.NODE_ENV': '"production"' },
  build: { emptyOutDir: true, target: 'es2022', minify: true, assetsInlineLimit: 0 },
}

/** Declarations for the package: relative imports name the built modules, styles are left out. */
async function writeTypes(to: string): Promise<void> {
  const config = join(to, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(ROOT, 'runtime'),
    outDir: join(to, 'types'),
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node', join(ROOT, 'node_modules/vite/client')],
  }
  const files = [library('index.ts'), library('testing.ts')]
  await writeFile(
    config,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files }),
  )
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise((done) => child.on('exit', done))
  await rm(config)
  if (code !== 0) throw new Error('the types of the runtime could not be written')
  for (const entry of await readdir(join(to, 'types'), { recursive: true })) {
    if (!entry.endsWith('.d.ts')) continue
    const file = join(to, 'types', entry)
    const text = await readFile(file, 'utf8')
    await writeFile(
      file,
      text
        .replace(/^import '[^']+';\n/gm, '')
        .replace(/((?:from |import\()['"]\.[^'"]+)\.tsx?(['"])/g, '$1.js$2'),
    )
  }
}

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

/** The package.json of the package. Versions are those that the product is tested with. */
async function writeDescription(to: string, packages: ReadonlySet<string>): Promise<void> {
  const ours = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string
    readonly dependencies: Readonly<Record<string, string>>
  }
  const versions = (wanted: (name: string) => boolean): Record<string, string> =>
    Object.fromEntries(
      [...packages]
        .filter(wanted)
        .sort()
        .map((name) => [name, versionOf(ours.dependencies, name)]),
    )
  const door = (name: string) => ({ types: `./types/library/${name}.d.ts`, default: `./${name}.js` })
  const description = {
    name: 'vform-runtime',
    version: ours.version,
    description: 'Interprets vform pages: rules, sandboxed hooks, data sources and mobile widgets',
    type: 'module',
    sideEffects: ['*.css'],
    exports: {
      '.': door('index'),
      './testing': door('testing'),
      './worker.js': './worker.js',
      './style.css': './style.css',
      './texts/*': './texts/*',
    },
    peerDependencies: versions((name) => PEERS.has(name)),
    dependencies: versions((name) => !PEERS.has(name)),
  }
  await writeFile(join(to, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
}

function versionOf(known: Readonly<Record<string, string>>, name: string): string {
  const version = known[name]
  if (version === undefined)
    throw new Error(`the runtime imports "${name}", which package.json does not name`)
  return version
}

/** @returns the folder of the package */
export async function buildRuntime(to = join(ROOT, 'dist-runtime')): Promise<string> {
  const packages = await buildModules(to)
  await buildWorker(to)
  await writeTypes(to)
  await writeDescription(to, packages)
  await mkdir(join(to, 'texts'), { recursive: true })
  for (const name of await readdir(TEXTS))
    if (/^[a-z-]+\.json$/.test(name)) await cp(join(TEXTS, name), join(to, 'texts', name))
  await cp(library('README.md'), join(to, 'README.md'))
  return to
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  readArguments('usage: npm run build:runtime (the runtime as a package, in dist-runtime)', {})
  process.stdout.write(`the package is in ${await buildRuntime()}; pack it with npm pack\n`)
}
