import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const PAGES = ['ours', 'hand', 'dom'] as const

/**
 * Builds each page on its own, so that none shares a chunk with another.
 *
 * @returns the folder that holds `<page>.html` and their assets
 */
export async function buildPages(
  root: string,
  outDir = join(root, 'dist-bench/side-by-side'),
): Promise<string> {
  for (const [i, page] of PAGES.entries()) {
    await build({
      configFile: false,
      root: join(root, 'src/bench'),
      base: './',
      publicDir: false,
      logLevel: 'error',
      plugins: [react()],
      build: {
        outDir,
        assetsDir: page,
        emptyOutDir: i === 0,
        target: 'es2022',
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 2000,
        rolldownOptions: { input: join(root, 'src/bench', `${page}.html`) },
      },
    })
  }
  return outDir
}
