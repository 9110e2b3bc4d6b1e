import { runCommand } from '../../kernel/config/command.ts'
import { readPlace } from '../../kernel/config/place.ts'
import { migrate } from '../../kernel/db/migrate.ts'
import { withOwner } from '../../kernel/db/with-database.ts'
import { readAnswers } from './answers.ts'
import { companyFaults, makeCompany } from './new-administrator.ts'

const USAGE =
  'usage: npm run setup -- --tenant NAME --account ACCOUNT --name NAME --mobile MOBILE [--password-stdin]'

await runCommand('setup', USAGE, async () => {
  const place = readPlace(process.env)
  const company = await readAnswers(process.argv.slice(2), { input: process.stdin, output: process.stdout })
  const faults = companyFaults(company)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const created = await withOwner(place, async (database) => {
    await migrate(database)
    return makeCompany(database, company)
  })
  const known =
    created.elsewhere === null
      ? ''
      : `, with the password they have; they work for ${created.elsewhere.join(', ') || 'no other tenant'} too and choose the tenant once signed in`
  const lines = [
    `made the tenant ${company.tenant} (${created.code}) and its administrator ${company.name}, who signs in as ${company.account}${known}`,
    created.password === null
      ? null
      : `password, shown only now and to be changed at the first sign-in: ${created.password}`,
  ]
  return lines.filter((line) => line !== null).join('\n')
})
