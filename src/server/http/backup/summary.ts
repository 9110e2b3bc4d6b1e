import type { Header, Summary } from '../../flows/backup/archive.ts'

/** The contents of a backup as text for the operator. */
export function backupSummary(
  { tables, files }: Summary,
  { hasFiles }: Pick<Header, 'hasFiles'>,
): readonly string[] {
  const sums = Object.values(tables)
  const rows = sums.reduce((all, table) => all + table.rows, 0)
  return [
    `${rows} rows in ${sums.length} tables, ${hasFiles ? `${files.count} files of ${files.bytes} bytes` : 'without files'}`,
    ...(files.missing > 0
      ? [`${files.missing} files were not found: the database names them, and nobody has them`]
      : []),
    ...(files.damaged > 0
      ? [`${files.damaged} files are not as they were uploaded: their checksums differ`]
      : []),
  ]
}
