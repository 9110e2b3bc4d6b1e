import { parseArgs } from 'node:util'
import { runCommand } from '../../kernel/config/command.ts'
import { readPlace } from '../../kernel/config/place.ts'
import { withDatabase } from '../../kernel/db/with-database.ts'
import { giveNewPassword } from './new-password.ts'

const USAGE = 'usage: npm run password -- ACCOUNT'

await runCommand('password', USAGE, async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [account] = positionals
  if (account === undefined || positionals.length > 1) throw new Error(USAGE)
  const password = await withDatabase(readPlace(process.env), (database) =>
    giveNewPassword(database, account),
  )
  return `password of ${account}, shown only now and to be changed at the next sign-in: ${password}`
})
