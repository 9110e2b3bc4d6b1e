import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

/** Rarely used parts: cached on a device after they were used there. */
const RARE = /\/src\/workbench\//

/**
 * Writes the names of the app's files into its service worker, which caches them in advance. Left out: the script engine, which is large, and files
 * that only the workbench needs.
 */
export function shellFiles(): Plugin {
  return {
    name: 'shell-files',
    enforce: 'post',
    generateBundle(_, bundle) {
      const worker = bundle['shell-worker.js']
      if (worker?.type !== 'chunk') return
      // It runs as a classic script: browsers refuse one with imports, and nothing would be cached.
      if (worker.imports.length > 0)
        this.error(`the shell worker shares code with the app: ${worker.imports.join(', ')}`)
      worker.code = worker.code.replace('__SHELL_FILES__', JSON.stringify(precachedFiles(bundle)))
    },
  }
}

/** Files under `assets/` of the app without its rarely used parts, by name. */
export function precachedFiles(bundle: Bundle): readonly string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const needed = new Set<string>()
  const add = (name: string): void => {
    const chunk = bundle[name]
    if (needed.has(name) || chunk?.type !== 'chunk' || RARE.test(chunk.facadeModuleId ?? '')) return
    needed.add(name)
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) add(next)
    for (const style of chunk.viteMetadata?.importedCss ?? []) needed.add(style)
  }
  for (const chunk of chunks) if (chunk.isEntry) add(chunk.fileName)
  const rare = new Set(
    chunks.flatMap((chunk) =>
      needed.has(chunk.fileName) ? [] : [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])],
    ),
  )
  return Object.keys(bundle)
    .filter((name) => /^assets\/(?!browser-worker)/.test(name) && (needed.has(name) || !rare.has(name)))
    .sort()
}
