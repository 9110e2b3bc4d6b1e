import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import settings from '../../../schemas/app.json'
import routes from '../../../schemas/routes.json'

const PUBLIC = join(import.meta.dirname, '../../../src/app/public')
const manifest = JSON.parse(readFileSync(join(PUBLIC, 'app.webmanifest'), 'utf8'))
const page = readFileSync(join(PUBLIC, '../../index.html'), 'utf8')
/** Colour type of a PNG without transparency. */
const OPAQUE = 2

describe('the installed app', () => {
  it('has the product’s name, opens at its start page and runs standalone', () => {
    expect(manifest).toMatchObject({
      name: settings.name,
      start_url: './',
      scope: './',
      display: 'standalone',
    })
    expect(page).toContain('rel="manifest" href="./app.webmanifest"')
  })

  it('has the icons that it names, in their sizes, including a maskable one', () => {
    const icons = manifest.icons.map(({ src, sizes, purpose = 'any' }: Record<string, string>) => {
      const { width, height, colours } = pictureAt(src ?? '')
      return { sizes, drawn: `${width}x${height}`, purpose, isOpaque: colours === OPAQUE }
    })

    expect(icons).toEqual([
      { sizes: '192x192', drawn: '192x192', purpose: 'any', isOpaque: false },
      { sizes: '512x512', drawn: '512x512', purpose: 'any', isOpaque: false },
      { sizes: '512x512', drawn: '512x512', purpose: 'maskable', isOpaque: true },
    ])
    expect(pictureAt('./icon-apple-180.png')).toEqual({ width: 180, height: 180, colours: OPAQUE })
  })

  it('has shortcuts to existing pages', () => {
    const known = new Set(routes.map(({ path }) => path))
    const paths = manifest.shortcuts.map(({ url }: { url: string }) => url.replace('./#', ''))

    expect(paths.length).toBeGreaterThan(2)
    expect(paths.filter((path: string) => !known.has(path))).toEqual([])
  })
})

/** Size and colour type, from the header of a PNG. */
function pictureAt(src: string) {
  const bytes = readFileSync(join(PUBLIC, src))
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), colours: bytes.readUInt8(25) }
}
