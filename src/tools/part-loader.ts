import type { Plugin } from 'vite'

/** Vite's helper around `import()` in what it builds. */
const HELPER = /^\0vite\/preload-helper\.js$/

/**
 * Loads parts of the app by a function of ours, which is told every file of a part, its own too. A build in which Vite names its helper
 * otherwise fails.
 * @param file  that exports it as `loadPart`
 */
export function partLoader(file: string): Plugin {
  let isUsed = false
  const styles = new Set<string>()
  return {
    name: 'part-loader',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          // A part that is a style and nothing else has no script of its own left.
          resolveDependencies: (own, others, { hostType }) =>
            hostType === 'js' && !styles.has(own) ? [...new Set([own, ...others])] : others,
        },
      },
    }),
    load: {
      order: 'pre',
      filter: { id: HELPER },
      handler() {
        isUsed = true
        return `export { loadPart as __vitePreload } from ${JSON.stringify(file)}`
      },
    },
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && chunk.moduleIds.every((id) => id.endsWith('.css')))
            styles.add(chunk.fileName)
        if (!isUsed)
          this.error('parts of the app would not be loaded by loadPart: Vite names its helper otherwise')
      },
    },
  }
}
