import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

/** The scripts and styles that a document has loaded, without workers, each with its size in bytes after gzip. Waits until no more are loaded. */
export async function loadedCode(page: Page): Promise<ReadonlyMap<string, number>> {
  const loaded = () =>
    page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name))
  let entries = await loaded()
  for (let before = -1; before < entries.length; ) {
    before = entries.length
    await page.waitForTimeout(500)
    entries = await loaded()
  }
  const files = new Set(
    entries.filter((name) => /\.(js|css)$/.test(new URL(name).pathname) && !name.includes('worker')),
  )
  const sizes = new Map<string, number>()
  for (const url of files) {
    const body = await (await fetch(url)).arrayBuffer()
    sizes.set(url, gzipSync(Buffer.from(body), { level: 9 }).length)
  }
  return sizes
}
