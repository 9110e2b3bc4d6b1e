import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT } from './product.ts'

const HASHED = /-([\w-]{8})(\.(?:js|css|svg|woff2?))/g
const PACKED = /\.(?:br|gz)$/

/**
 * The built client of the next release, with every hashed file renamed: it shares no file name with the current one.
 * @returns a folder for `APP_ROOT`; the caller removes it
 */
export async function nextBuild(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'crm-next-'))
  const [from, to] = [join(BUILT, 'dist/app'), join(root, 'dist/app')]
  await cp(join(BUILT, 'schemas'), join(root, 'schemas'), { recursive: true })
  await mkdir(join(to, 'assets'), { recursive: true })
  const assets = new Set(await readdir(join(from, 'assets')))
  const renamed = (text: string): string =>
    text.replace(/[\w.-]+/g, (name) => (assets.has(name) ? inNext(name) : name))
  for (const name of await readdir(from, { recursive: true })) {
    if (name === 'assets' || PACKED.test(name)) continue
    const content = await readFile(join(from, name))
    const isText = /\.(?:js|css|html)$/.test(name)
    await writeFile(join(to, renamed(name)), isText ? renamed(content.toString()) : content)
  }
  return root
}

/** The name of a file in the next build. */
const inNext = (name: string): string =>
  name.replace(HASHED, (_, hash: string, end: string) => `-${[...hash].reverse().join('')}${end}`)
