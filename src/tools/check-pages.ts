import { access } from 'node:fs/promises'
import { readArguments, refuseUse } from '../server/kernel/config/command.ts'
import { adviseFiles, checkFiles } from './page-files.ts'

/**
 * Pages and modules: one line per problem on stdout, warnings on stderr, exit code 1 if there is a
 * problem. `--advice` also prints suggestions for things that work but could be better, on stderr.
 */
const USAGE =
  'usage: npm run check:pages -- [--advice] [FILE…] (problems of these pages and modules, or of all of the product)'

const {
  values: { advice: isAdvised },
  positionals: files,
} = readArguments(USAGE, { allowPositionals: true, options: { advice: { type: 'boolean' } } })
for (const file of files) await access(file).catch(() => refuseUse(USAGE, `there is no file ${file}`))
const { problems, warnings } = await checkFiles(files)
const advice = isAdvised ? await adviseFiles(files) : []
for (const line of [...warnings, ...advice]) process.stderr.write(`${line}\n`)
for (const line of problems) process.stdout.write(`${line}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
