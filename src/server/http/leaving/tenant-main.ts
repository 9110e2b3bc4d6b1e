import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { deleteTenant } from '../../flows/leaving/delete-tenant.ts'
import { exportTenant } from '../../flows/leaving/export-tenant.ts'
import { runCommand } from '../../kernel/config/command.ts'
import { readPlace } from '../../kernel/config/place.ts'
import { withDatabase } from '../../kernel/db/with-database.ts'
import { filesAt } from '../../kernel/files/file-places.ts'
import { endSecondPerson } from '../../kernel/pages/second-person.ts'
import { rowsSummary } from './rows-summary.ts'

const USAGE =
  'usage: npm run tenant -- export CODE FOLDER, npm run tenant -- delete CODE --confirm CODE, or npm run tenant -- alone CODE'

await runCommand('tenant', USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { confirm: { type: 'string' } },
  })
  const [act, code, folder, ...more] = positionals
  const place = readPlace(process.env)
  const now = Date.now()
  if (act === 'export' && code !== undefined && folder !== undefined && more.length === 0) {
    const parts = { folder: resolve(folder), now }
    const report = await withDatabase(place, (database) =>
      exportTenant(database, code, { ...parts, store: filesAt(place, database) }),
    )
    return [
      `${report.tenant.name} (${code}) is in ${parts.folder}: ${report.files} files, and rows of`,
      ...rowsSummary(report.rows),
      ...(report.missingFiles.length === 0
        ? []
        : [`${report.missingFiles.length} files have no bytes any more: see report.json`]),
    ].join('\n')
  }
  if (act === 'delete' && code !== undefined && folder === undefined) {
    if (values.confirm !== code)
      throw new Error(`this cannot be taken back; to delete ${code} add --confirm ${code}`)
    const erased = await withDatabase(place, (database) =>
      deleteTenant(database, code, { store: filesAt(place, database), now }),
    )
    return [
      `${code} is deleted, with ${erased.people} people who worked for no other tenant; rows of`,
      ...rowsSummary(erased.rows),
      'backups made before still have it',
    ].join('\n')
  }
  if (act === 'alone' && code !== undefined && folder === undefined) {
    await withDatabase(place, (database) => endSecondPerson(database, code))
    return `${code} publishes without a second person`
  }
  throw new Error(USAGE)
})
