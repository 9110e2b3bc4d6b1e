import { access, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { printPackage, readPackage } from '../server/flows/packages/package-file.ts'
import { folderOf, packageOf } from '../server/flows/packages/package-folder.ts'
import { readArguments, refuseUse } from '../server/kernel/config/command.ts'

/** A package is unpacked into the structure of `schemas/`, for Git, and packed again, with its checksum. */
const USAGE =
  'usage: npm run package -- FILE FOLDER (unpacks), or npm run package -- FOLDER FILE (packs again, with its checksum)'

const { positionals } = readArguments(
  USAGE,
  { allowPositionals: true },
  (given) => given.positionals.length === 2,
)
const [from, to] = positionals as [string, string]
await access(from).catch(() => refuseUse(USAGE, `there is no ${from}`))

if ((await stat(from)).isDirectory()) {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  const texts = await Promise.all(
    files.map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name)
      return [relative(from, path).split(sep).join('/'), await readFile(path, 'utf8')]
    }),
  )
  const made = packageOf(new Map(texts))
  await writeFile(to, printPackage(made))
  console.log(`${to}: ${made.items.length} changes`)
} else {
  const read = readPackage(await readFile(from, 'utf8'))
  if (typeof read === 'string') {
    console.error(`${from} is no package: ${read}`)
    process.exit(1)
  }
  const folder = folderOf(read)
  for (const [path, text] of folder) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await writeFile(join(to, path), text)
    console.log(join(to, path))
  }
}
