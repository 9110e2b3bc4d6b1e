import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What is bundled and where it goes. */
interface Bundle {
  readonly outDir: string
  readonly input: Rolldown.InputOption
  readonly output?: Rolldown.OutputOptions
}

/** Bundles code that runs on Node, as the product's build does. */
export async function buildForNode({ outDir, input, output = {} }: Bundle): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    build: { ssr: true, outDir, emptyOutDir: true, target: 'node20', rolldownOptions: { input, output } },
  })
}
