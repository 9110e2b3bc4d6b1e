import { parseArgs } from 'node:util'
import { moveFiles } from '../../flows/files/move-files.ts'
import { runCommand } from '../../kernel/config/command.ts'
import { readPlace } from '../../kernel/config/place.ts'
import { withDatabase } from '../../kernel/db/with-database.ts'
import { FILE_PLACES } from '../../kernel/files/file-places.ts'

const USAGE =
  'usage: npm run files -- move folder, npm run files -- move database, or npm run files -- move s3'
const SHOWN = 20

await runCommand('files', USAGE, async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [act, name, ...more] = positionals
  const to = FILE_PLACES.find((one) => one === name)
  if (act !== 'move' || to === undefined || more.length > 0) throw new Error(USAGE)
  const place = readPlace(process.env)
  const { moved, there, missing, damaged } = await withDatabase(place, (database) =>
    moveFiles(database, place, { to, print: (line) => void process.stderr.write(`${line}\n`) }),
  )
  const message = `${moved} files are moved to ${to} and compared, ${there} were there already`
  const wrong = [
    ...missing.map((one) => `${one} is nowhere`),
    ...damaged.map((one) => `${one} has other bytes than were uploaded`),
  ]
  if (wrong.length === 0) return message
  throw new Error([message, `${wrong.length} could not be moved:`, ...wrong.slice(0, SHOWN)].join('\n'))
})
