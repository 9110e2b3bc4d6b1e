import type { Plugin } from 'vite'

/** Vite's helper around `import()` in what it builds. */
const HELPER = /^\0vite\/preload-helper\.js$/

/**
 * Loads parts of the app by a function of ours. A build in which Vite names its helper otherwise fails.
 * @param file  that exports it as `loadPart`
 */
export function partLoader(file: string): Plugin {
  let isUsed = false
  return {
    name: 'part-loader',
    apply: 'build',
    enforce: 'pre',
    load: {
      order: 'pre',
      filter: { id: HELPER },
      handler() {
        isUsed = true
        return `export { loadPart as __vitePreload } from ${JSON.stringify(file)}`
      },
    },
    generateBundle() {
      if (!isUsed)
        this.error('parts of the app would not be loaded by loadPart: Vite names its helper otherwise')
    },
  }
}
