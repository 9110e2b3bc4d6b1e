import type { Plugin } from 'vite'

/** Modules needed to parse, keep and draw a page: nearly all of them run as soon as one opens. */
const DRAWING =
  /\/runtime\/(?:core\/(?!edit\/|scripts\/)|react\/(?:fields|page|rows|widgets)\/)|\/node_modules\/(?:react|react-dom|scheduler|@tanstack)\//

/**
 * Marks chunks that consist mostly of such modules, so that V8 compiles their functions while they load, on a separate thread. Otherwise each
 * function is compiled at its first call, which takes a third of the time until the first page is drawn. Other browsers ignore the comment.
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
          // V8 only looks at the first line.
          if (2 * sum(modules.filter(([id]) => DRAWING.test(id))) > sum(modules))
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
        }
      },
    },
  }
}
