import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { launchChromium } from './browser.ts'

const at = (path: string) => fileURLToPath(new URL(`../app/${path}`, import.meta.url))
/** `full`: the background reaches the edges, for devices that cut their own shape; the sign stays within a circle of 80 %. */
const ICONS = [
  { name: 'icon-192', px: 192, full: false },
  { name: 'icon-512', px: 512, full: false },
  { name: 'icon-maskable-512', px: 512, full: true },
  { name: 'icon-apple-180', px: 180, full: true },
] as const

/** Draws the icons of the installed app from `src/app/icon.svg`: run `tsx src/tools/icons.ts` after that file has changed. */
const svg = await readFile(at('icon.svg'), 'utf8')
await mkdir(at('public'), { recursive: true })
const browser = await launchChromium()
const page = await browser.newPage()
for (const { name, px, full } of ICONS) {
  await page.setViewportSize({ width: px, height: px })
  // Without rounded corners: the device cuts its own shape.
  const drawn = full ? svg.replace(/ rx="\d+"/, '') : svg
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${drawn}`)
  await writeFile(at(`public/${name}.png`), await page.screenshot({ omitBackground: true }))
}
await browser.close()
