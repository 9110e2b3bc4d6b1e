import type { Plugin } from 'vite'

/** What a page is read, held and drawn with: nearly all of it runs as soon as one opens. */
const DRAWING =
  /\/runtime\/(?:core\/(?!edit\/|scripts\/)|react\/(?:fields|page|rows|widgets)\/)|\/node_modules\/(?:react|react-dom|scheduler)\//

/**
 * Marks the files that consist mostly of what pages are drawn with, so that V8 compiles their functions while they are fetched, on a thread
 * of its own. Otherwise each waits for its first call, which takes a third of the time in which the first page is drawn. Other browsers see
 * a comment.
 */
export function compileHints(): Plugin {
  return {
    name: 'compile-hints',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          const modules = Object.entries(chunk.modules)
          const sum = (list: typeof modules) =>
            list.reduce((all, [, { renderedLength }]) => all + renderedLength, 0)
          // The first line is where V8 looks for it.
          if (2 * sum(modules.filter(([id]) => DRAWING.test(id))) > sum(modules))
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
        }
      },
    },
  }
}
