import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { compileHints } from '../compile-hints.ts'
import { withoutDocs } from '../without-docs.ts'

/** The module that replaces `main.tsx` in `index.html`, by page. */
const PAGES = { ours: './ours.tsx', hand: './hand.tsx', dom: './dom.ts' } as const

/**
 * Builds each page separately, so that none shares a chunk with another.
 *
 * @returns the folder with `<page>/index.html` and their assets
 */
export async function buildPages(
  root: string,
  outDir = join(root, 'dist-bench/side-by-side'),
): Promise<string> {
  for (const [page, entry] of Object.entries(PAGES)) {
    await build({
      configFile: false,
      root: join(root, 'src/bench'),
      base: './',
      publicDir: false,
      logLevel: 'error',
      plugins: [
        react(),
        // Our page with the product's plugins, the others with a plain build.
        ...(page === 'ours' ? [withoutDocs(), compileHints()] : []),
        {
          name: 'bench-entry',
          transformIndexHtml: { order: 'pre', handler: (html) => html.replace('./main.tsx', entry) },
        },
      ],
      build: {
        outDir: join(outDir, page),
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 2000,
      },
    })
  }
  return outDir
}
