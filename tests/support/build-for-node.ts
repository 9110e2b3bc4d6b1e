import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Entry and output of a bundle. */
interface Bundle {
  readonly outDir: string
  readonly input: Rolldown.InputOption
  readonly output?: Rolldown.OutputOptions
}

/** Bundles code that runs on Node, like the product's build. */
export async function buildForNode({ outDir, input, output = {} }: Bundle): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    build: { ssr: true, outDir, emptyOutDir: true, target: 'node20', rolldownOptions: { input, output } },
  })
}
