import { resolve } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { backUp } from '../../flows/backup/back-up.ts'
import { describeFiles } from '../../flows/backup/files-there.ts'
import { readSecrets } from '../../flows/backup/kept-secrets.ts'
import type { ArchiveRead } from '../../flows/backup/read-archive.ts'
import { saveArchive } from '../../flows/backup/save.ts'
import { backupKey } from '../../flows/backup/settings.ts'
import { runCommand } from '../../kernel/config/command.ts'
import { type Place, readPlace } from '../../kernel/config/place.ts'
import { describePlace } from '../../kernel/db/describe.ts'
import { holdsDatabase } from '../../kernel/db/embedded/open-embedded.ts'
import { FolderInUse } from '../../kernel/db/folder-lock.ts'
import { withDatabase } from '../../kernel/db/with-database.ts'
import { filesAt } from '../../kernel/files/file-places.ts'
import { type BackupRequest, requestBackup } from './backup-socket.ts'
import { backupSummary } from './summary.ts'

const USAGE = 'usage: npm run backup -- FILE [--no-files] [--secrets]'

await runCommand('backup', USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'no-files': { type: 'boolean' }, secrets: { type: 'boolean' } },
  })
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new Error(USAGE)
  const place = readPlace(process.env)
  const key = backupKey(process.env)
  const wanted = { withFiles: values['no-files'] !== true, withSecrets: values.secrets === true }
  if (wanted.withSecrets && key === null)
    throw new Error('--secrets needs BACKUP_KEY: whoever has secrets in the open can sign anybody in')
  const { summary, header } = await saved(place, wanted, (frames) => saveArchive(frames, resolve(file), key))
  return [
    `${describePlace(place)} is saved in ${file} (${key === null ? 'not encrypted' : 'encrypted'}), read again and whole`,
    ...backupSummary(summary, header),
    ...(wanted.withFiles
      ? []
      : [`what was uploaded is not in it: it lies in ${describeFiles(place)}, keep that by other means`]),
  ].join('\n')
})

type Save = (frames: Readable) => Promise<ArchiveRead>

/** Reads the database directly, or through the running server that owns it. */
async function saved(place: Place, wanted: BackupRequest, save: Save): Promise<ArchiveRead> {
  if (place.databaseUrl === undefined && !(await holdsDatabase(place.dataDir)))
    throw new Error(`there is no database in ${place.dataDir}: set DATA_DIR or DATABASE_URL`)
  try {
    return await withDatabase(place, async (database) => {
      const out = new PassThrough()
      const secrets = wanted.withSecrets ? await readSecrets(process.env, place.dataDir) : null
      const files = wanted.withFiles ? filesAt(place, database) : null
      const given = backUp({ database, files, secrets, now: Date.now }, out).catch(
        (error: Error) => void out.destroy(error),
      )
      // If the backup fails it destroys `out`, so that `save` throws with its reason.
      const read = await save(out).finally(() => given)
      return read
    })
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return save(await requestBackup(place.dataDir, wanted))
  }
}
