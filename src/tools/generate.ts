import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { generatedFiles } from './generated-files.ts'

/** Rewrites every generated file: `npm run generate`. */
for (const [path, content] of await generatedFiles()) {
  await writeFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), content)
  process.stdout.write(`${path}\n`)
}
