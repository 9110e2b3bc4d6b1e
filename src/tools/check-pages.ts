import { checkFiles } from './page-files.ts'

/** `npm run check:pages -- [FILE…]`, pages and modules: one line per problem on stdout, warnings on stderr, exit 1 when there is a problem. */
const { problems, warnings } = await checkFiles(process.argv.slice(2))
for (const line of warnings) process.stderr.write(`${line}\n`)
for (const line of problems) process.stdout.write(`${line}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
