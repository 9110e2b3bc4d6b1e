import { parseArgs } from 'node:util'
import { runCommand } from '../command.ts'
import { readPlace } from '../place.ts'
import { describePlace } from './describe.ts'
import { MIGRATIONS, migrate, pendingMigrations } from './migrate.ts'
import { withDatabase } from './with-database.ts'

await runCommand('migrate', async () => {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } })
  const isDryRun = values['dry-run'] === true
  const place = readPlace(process.env)
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  const names = await withDatabase(place, (database) =>
    isDryRun ? pendingMigrations(database) : migrate(database, MIGRATIONS, say),
  )
  return [
    `${describePlace(place)}: ${names.length} migrations ${isDryRun ? 'would run' : 'ran'}`,
    ...names,
  ].join('\n')
})
