import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../server/kernel/config/command.ts'
import { generatedFiles } from './generated-files.ts'
import { giveIds } from './widget-ids.ts'

/** `npm run generate`: assigns ids to new widgets of our pages and rewrites every generated file. */
readArguments('usage: npm run generate (gives new widgets an id, and rewrites every generated file)', {})
for (const file of await giveIds(fileURLToPath(new URL('../../schemas/', import.meta.url))))
  process.stdout.write(`schemas/${file}\n`)
for (const [path, content] of await generatedFiles()) {
  await writeFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), content)
  process.stdout.write(`${path}\n`)
}
