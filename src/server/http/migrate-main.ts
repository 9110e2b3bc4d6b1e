import { parseArgs } from 'node:util'
import { runCommand } from '../kernel/config/command.ts'
import { asOwner, readPlace } from '../kernel/config/place.ts'
import { describePlace } from '../kernel/db/describe.ts'
import { MIGRATIONS, migrate, pendingMigrations } from '../kernel/db/migrate.ts'
import { withDatabase, withOwner } from '../kernel/db/with-database.ts'

const USAGE = 'usage: npm run migrate [-- --dry-run]'

await runCommand('migrate', USAGE, async () => {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } })
  const isDryRun = values['dry-run'] === true
  const place = readPlace(process.env)
  const print = (line: string): void => void process.stderr.write(`${line}\n`)
  const names = isDryRun
    ? await withDatabase(asOwner(place), pendingMigrations)
    : await withOwner(place, (database) => migrate(database, MIGRATIONS, print))
  return [
    `${describePlace(place)}: ${names.length} migrations ${isDryRun ? 'would run' : 'ran'}`,
    ...names,
  ].join('\n')
})
