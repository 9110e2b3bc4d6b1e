import { adviseFiles, checkFiles } from './page-files.ts'

/**
 * `npm run check:pages -- [--advice] [FILE…]`, pages and modules: one line per problem on stdout, warnings on stderr, exit code 1 if there is a
 * problem. `--advice` also prints suggestions for things that work but could be better, on stderr.
 */
const given = process.argv.slice(2)
const files = given.filter((one) => one !== '--advice')
const { problems, warnings } = await checkFiles(files)
const advice = given.includes('--advice') ? await adviseFiles(files) : []
for (const line of [...warnings, ...advice]) process.stderr.write(`${line}\n`)
for (const line of problems) process.stdout.write(`${line}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
