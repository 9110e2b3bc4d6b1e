import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { compileHints } from './src/tools/compile-hints.ts'
import { lastTwoBuilds } from './src/tools/last-two-builds.ts'
import { LongFirst } from './src/tools/long-first.ts'
import { LONG } from './src/tools/long-tests.ts'
import { partLoader } from './src/tools/part-loader.ts'
import { shellFiles } from './src/tools/shell-files.ts'
import { shortPaths } from './src/tools/short-paths.ts'
import { viewWords } from './src/tools/view-words.ts'
import { withoutDocs } from './src/tools/without-docs.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/*
 * Files of the client that hold what is mostly needed together. On its own each view is a file, which is requested twice (fetched, then imported from
 * the browser's cache): the home page took 51 requests.
 */
/** What requests the data of a page, and the texts of views: nearly all of these need it. */
const SOURCES =
  /runtime\/react\/rows\/(?:auto-sources|use-source-key|query-client|source-query)|words\/view-words/
/** The views of lists, details and the home page. */
const DRAWING =
  /runtime\/react\/(?:kit\/more-glyphs|rows\/|charts\/(?:look|chart-picture)|widgets\/(?:list|quick-tabs|search-bar|descriptions|timeline|tag|fab|action-bar|stat-grid|menu-grid|notice-bar|alert|empty|sheet|collapse|collapse-item|progress|grid|grid-col|tab|tab-pane|table|table-cell|steps|divider|slot|chart|date-range)\.tsx)/
const LAYERS = /runtime\/react\/(?:layers\/|widgets\/(?:popup|dialog|drawer)\.tsx)/
/** What most forms consist of, with the sheets to choose from. */
const FIELDS =
  /runtime\/react\/(?:fields\/|pickers\/(?:select-sheet|cascader-sheet|picker-sheet|sheet-search)|widgets\/(?:select|radio|checkbox|switch|textarea|number|stepper|date|datetime|time|time-range|cascader|reference|rate|segmented-control)\.tsx)/
/** What encrypts, and what keeps drafts with it. */
const KEEPING = /src\/app\/(?:storage\/seal|pages\/(?:draft-places|hold-name))\.ts/
const UPLOADS = /runtime\/react\/(?:upload\/|widgets\/(?:picture-upload|file-upload|file-picker)\.tsx)/

/** Packages of the server that consist of many small files, about 500 together: in one file they are loaded in a third of the time. */
const OF_MANY_FILES = [
  'kysely',
  'jose',
  'pinyin-pro',
  'prom-client',
  '@opentelemetry/api',
  'file-type',
  'strtok3',
  'token-types',
]

/** `vite build` makes the client, `--mode server` the API server, `--mode bench` the page of the benchmark. */
export default defineConfig(({ mode }) => {
  const test = {
    include: ['../tests/**/*.test.{ts,tsx}'],
    setupFiles: [at('tests/support/seed.ts')],
    // What is waited for comes at once on a quiet machine; a busy one gets time. Where time is the claim, the test says how much.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    // vitest leaves one core to itself, which on two cores means one test file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    environment: 'node' as const,
    tags: [LONG],
    sequence: { sequencer: LongFirst },
  }
  const shared = {
    root: at('src'),
    plugins: [react()],
    publicDir: false as const,
    test,
  }
  if (mode === 'server') {
    const isWatching = process.argv.includes('--watch')
    return {
      ...shared,
      plugins: [...shared.plugins, ...(isWatching ? [lastTwoBuilds()] : [])],
      ssr: { noExternal: [...OF_MANY_FILES] },
      build: {
        ssr: true,
        outDir: at('dist/server'),
        // A server of `npm run dev` may still be loading files of the build before.
        emptyOutDir: !isWatching,
        target: 'node20',
        rolldownOptions: {
          input: {
            main: at('src/server/main.ts'),
            setup: at('src/server/http/setup/main.ts'),
            password: at('src/server/http/setup/password-main.ts'),
            migrate: at('src/server/http/migrate-main.ts'),
            backup: at('src/server/http/backup/backup-main.ts'),
            restore: at('src/server/http/backup/restore-main.ts'),
            status: at('src/server/http/operator/status-main.ts'),
            files: at('src/server/http/files/files-main.ts'),
            tenant: at('src/server/http/leaving/tenant-main.ts'),
            person: at('src/server/http/leaving/person-main.ts'),
            'verdict-worker': at('src/server/kernel/forms/verdict-worker.ts'),
            'check-worker': at('src/server/kernel/pages/check-worker.ts'),
            'sheet-worker': at('src/server/flows/sheets/sheet-worker.ts'),
          },
        },
      },
    }
  }
  if (mode === 'bench') {
    return {
      ...shared,
      root: at('src/bench'),
      base: './',
      plugins: [...shared.plugins, withoutDocs(), compileHints()],
      worker: { plugins: () => [withoutDocs()] },
      build: { outDir: at('dist-bench'), emptyOutDir: true },
    }
  }
  return {
    ...shared,
    plugins: [
      ...shared.plugins,
      withoutDocs(),
      viewWords({ catalogue: at('schemas/text/zh-hans.json'), ofViews: at('src/app/words/view-words.ts') }),
      shortPaths(),
      partLoader(at('src/app/net/part-files.ts')),
      shellFiles(),
      compileHints(),
    ],
    worker: { plugins: () => [withoutDocs()] },
    // The manifest and its icons keep their names: devices ask for them again by these.
    publicDir: at('src/app/public'),
    base: './',
    build: {
      outDir: at('dist/app'),
      rolldownOptions: {
        input: { index: at('src/index.html'), 'shell-worker': at('src/app/shell-worker/worker.ts') },
        output: {
          entryFileNames: ({ name }) =>
            name === 'shell-worker' ? 'shell-worker.js' : 'assets/[name]-[hash].js',
          // What the start page needs is one file, not thirty: together it packs a good deal smaller.
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'], test: /^(?!.*\/shell-worker\/)/, priority: 6 },
              { name: 'sources', test: SOURCES, priority: 5 },
              { name: 'drawing', test: DRAWING, priority: 4 },
              { name: 'layers', test: LAYERS, priority: 3 },
              { name: 'fields', test: FIELDS, priority: 2 },
              { name: 'uploads', test: UPLOADS, priority: 1 },
              { name: 'keeping', test: KEEPING, priority: 0 },
            ],
          },
        },
      },
      emptyOutDir: true,
      target: 'es2022',
      // How much a first visit may be is said, in gzip, by the budgets' test.
      chunkSizeWarningLimit: 1_000,
      // Inlined files would be data: urls, and the polyfill an inline script's worth of nothing: the policy knows neither.
      assetsInlineLimit: 0,
    },
  }
})
