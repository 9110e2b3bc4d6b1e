import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

/** What few people open: it is kept on a device once it was used there. */
const RARE = /\/src\/workbench\//

/**
 * Writes the names of the app's files into its service worker, which fetches them ahead. Left out: the script engine, which is large, and
 * what only the workbench needs.
 */
export function shellFiles(): Plugin {
  return {
    name: 'shell-files',
    enforce: 'post',
    generateBundle(_, bundle) {
      const worker = bundle['shell-worker.js']
      if (worker?.type !== 'chunk') return
      // It is started as a plain script: a browser refuses one that imports, and nothing would be kept on any device.
      if (worker.imports.length > 0)
        this.error(`the shell worker shares code with the app: ${worker.imports.join(', ')}`)
      worker.code = worker.code.replace('__SHELL_FILES__', JSON.stringify(keptAhead(bundle)))
    },
  }
}

/** Files under `assets/` that the app without its rare rooms is made of, by name. */
export function keptAhead(bundle: Bundle): readonly string[] {
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
