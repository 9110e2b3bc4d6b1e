import type { Plugin } from 'vite'

/** Vite's helper around `import()` in its output. */
const HELPER = /^\0vite\/preload-helper\.js$/

/**
 * Loads parts of the app by our own function, which gets every file of a part. The build fails if Vite renames its helper.
 * @param file  exports the function as `loadPart`
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
          // A part that only consists of a style sheet has no script file.
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
