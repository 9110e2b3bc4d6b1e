import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { erasePerson, exportPerson } from '../../flows/leaving/person.ts'
import { runCommand } from '../../kernel/config/command.ts'
import { readPlace } from '../../kernel/config/place.ts'
import { withDatabase } from '../../kernel/db/with-database.ts'
import { filesAt } from '../../kernel/files/file-places.ts'
import { rowsSummary } from './rows-summary.ts'

const USAGE =
  'usage: npm run person -- export CODE NUMBER FOLDER, or npm run person -- erase CODE NUMBER --confirm NUMBER (a mobile, telephone or mail address)'

await runCommand('person', USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { confirm: { type: 'string' } },
  })
  const [act, code, value, folder, ...more] = positionals
  const place = readPlace(process.env)
  if (code === undefined || value === undefined || more.length > 0) throw new Error(USAGE)
  const wanted = { code, value, now: Date.now() }
  if (act === 'export' && folder !== undefined) {
    const rows = await withDatabase(place, (database) => exportPerson(database, wanted, resolve(folder)))
    return [`what ${code} has of ${value} is in ${resolve(folder)}; rows of`, ...rowsSummary(rows)].join('\n')
  }
  if (act === 'erase' && folder === undefined) {
    if (values.confirm !== value)
      throw new Error(`this cannot be taken back; to erase ${value} add --confirm ${value}`)
    const rows = await withDatabase(place, (database) =>
      erasePerson(database, wanted, filesAt(place, database)),
    )
    return [
      `${value} is erased in ${code}; rows of`,
      ...rowsSummary(rows),
      'backups made before still have it',
    ].join('\n')
  }
  throw new Error(USAGE)
})
