import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Header } from '../../flows/backup/archive.ts'
import { describeFiles, filesThere } from '../../flows/backup/files-there.ts'
import { writeSecrets } from '../../flows/backup/kept-secrets.ts'
import { type RestoreFrom, restoreAside, restoreInto } from '../../flows/backup/restore-into.ts'
import { checkArchive } from '../../flows/backup/save.ts'
import { isSealed } from '../../flows/backup/sealed-file.ts'
import { backupKey } from '../../flows/backup/settings.ts'
import { runCommand } from '../../kernel/config/command.ts'
import { type Place, readPlace } from '../../kernel/config/place.ts'
import { describePlace } from '../../kernel/db/describe.ts'
import { withOwner } from '../../kernel/db/with-database.ts'
import { filesAt } from '../../kernel/files/file-places.ts'
import { backupSummary } from './summary.ts'

const USAGE = 'usage: npm run restore -- FILE [--check | --try]'

await runCommand('restore', USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, try: { type: 'boolean' } },
  })
  const [file] = positionals
  const isBoth = values.check === true && values.try === true
  if (file === undefined || positionals.length > 1 || isBoth) throw new Error(USAGE)
  const from: RestoreFrom = {
    file: resolve(file),
    key: backupKey(process.env),
    print: (line) => void process.stderr.write(`${line}\n`),
  }
  // Before anything is changed.
  const { summary, header } = await checkArchive(from.file, from.key)
  if (values.check === true)
    return [
      `${file} is whole: a backup of ${header.made}, from ${header.from}`,
      ...backupSummary(summary, header),
      await sealingText(from.file, header),
    ].join('\n')
  return values.try === true ? tryOut(from) : putBack(from)
})

/** Whether others can read the backup, and what has to be kept besides it. */
async function sealingText(file: string, { hasSecrets }: Pick<Header, 'hasSecrets'>): Promise<string> {
  const sealed = (await isSealed(file))
    ? 'encrypted with BACKUP_KEY'
    : 'not encrypted: whoever has the file can read it'
  const secrets = hasSecrets
    ? 'with the secrets (SESSION_SECRET, SECRETS_KEY)'
    : 'without the secrets: keep SESSION_SECRET and SECRETS_KEY elsewhere'
  return `${sealed}; ${secrets}`
}

async function putBack(from: RestoreFrom): Promise<string> {
  const place = readPlace(process.env)
  const { summary, secrets, ran, header } = await restoreInto(place, from)
  return [
    `restored into ${describePlace(place)} and compared with the backup, row by row`,
    ...backupSummary(summary, header),
    ...(ran.length > 0 ? [`${ran.length} migrations newer than the backup ran`] : []),
    ...(header.hasFiles ? [] : [await existingFilesText(place)]),
    ...(header.hasSecrets
      ? await writeSecrets(secrets, process.env, place.dataDir)
      : [
          'secrets are not in this backup: people sign in again, and secrets of connections are filled in again unless SESSION_SECRET and SECRETS_KEY are those of before',
        ]),
  ].join('\n')
}

/** A text about the files of a backup without files: how many of those it names exist in their store. */
async function existingFilesText(place: Place): Promise<string> {
  const { there, missing } = await withOwner(place, (database) =>
    filesThere(database, filesAt(place, database)),
  )
  return `files are not in this backup: ${there} of those it names are in ${describeFiles(place)}, ${missing} are missing and cannot be opened`
}

/** Restores into a temporary database. */
async function tryOut(from: RestoreFrom): Promise<string> {
  const folder = await mkdtemp(join(process.env.BACKUP_DIR || tmpdir(), 'restore-try-'))
  try {
    const { summary, header } = await restoreAside(join(folder, 'data'), { ...from, print: () => undefined })
    return [
      `restored into a database for trial and compared with the backup, row by row`,
      ...backupSummary(summary, header),
    ].join('\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
