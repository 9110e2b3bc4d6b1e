import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { it } from 'vitest'
import { arrive, logIn } from '../support/acts.ts'
import { long } from '../support/long.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'
import { stepsOf } from '../support/tutorial.ts'
import { FINGER, follow, KEYS } from '../support/tutorial-hands.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')
/** A tenant of its own, since the tutorial starts with unchanged pages. */
const stage = aStage()

it('the tutorial creates its three pages by its own steps, on the desktop by keyboard alone', {
  ...long,
  timeout: 300_000,
}, async () => {
  const [desk, phone] = [await stage.phone('/pages/login/login'), await stage.phone('/pages/login/login')]
  await desk.page.setViewportSize({ width: 1280, height: 800 })
  for (const one of [desk, phone]) one.page.setDefaultTimeout(30_000)
  await logIn(desk, 'admin')
  await logIn(phone)
  await Promise.all([arrive(desk, '/'), arrive(phone, '/')])
  const manual = await readFile(join(SCHEMAS, 'TUTORIAL.md'), 'utf8')

  for (const { who, said, act } of stepsOf(manual)) {
    const [theirs, hands] = who === 'desk' ? [desk, KEYS] : [phone, FINGER]
    try {
      if (act.do === 'picture') await takePicture(theirs, act.file)
      else await follow(act, theirs, hands)
    } catch (error) {
      await theirs.picture('tutorial-stuck')
      throw new Error(`the tutorial cannot be followed at “${said}”`, { cause: error })
    }
  }
})

/** A picture for the manual, if `npm run pictures` requests it. */
async function takePicture({ page, context }: Phone, file: string): Promise<void> {
  if (process.env.PICTURES === undefined) return
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const browser = await context.newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 60,
    clip: { x: 0, y: 0, width, height, scale: 0.5 },
  })
  await mkdir(dirname(join(SCHEMAS, file)), { recursive: true })
  await writeFile(join(SCHEMAS, file), Buffer.from(data, 'base64'))
}
