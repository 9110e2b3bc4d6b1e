import type { Page } from 'playwright-core'

/** Buttons, boxes and handles inside `scope` that are smaller than 44 px in both directions, including their `::before` or `::after`. */
export function smallTargets(page: Page, scope: string): Promise<readonly string[]> {
  return page.evaluate((within) => {
    const grown = (element: Element, part: string): readonly [number, number] => {
      const style = getComputedStyle(element, part)
      if (style.content === 'none' || style.position !== 'absolute') return [0, 0]
      const beyond = (text: string) => -2 * Math.min(0, Number.parseFloat(text) || 0)
      return [beyond(style.left), beyond(style.top)]
    }
    const controls = document.querySelectorAll(
      `${within} :is(button, a[href]:not(.vf-html a), [role="slider"], [role="button"], select)`,
    )
    return Array.from(controls).flatMap((control) => {
      const box = control.getBoundingClientRect()
      const more = [grown(control, '::before'), grown(control, '::after')]
      const width = box.width + Math.max(...more.map(([x]) => x))
      const height = box.height + Math.max(...more.map(([, y]) => y))
      const isSeen = box.width > 0 && box.height > 0 && !control.closest('[inert], [hidden]')
      return isSeen && Math.min(width, height) < 43.5
        ? [`${control.className} ${Math.round(box.width)}×${Math.round(box.height)}`]
        : []
    })
  }, scope)
}

/** Elements that overflow the screen at the left or right, anywhere on the page; those that scroll sideways are allowed. */
export async function standingOut(page: Page): Promise<readonly string[]> {
  const found = new Set<string>()
  const height = await page.evaluate(() => document.body.scrollHeight)
  for (let at = 0; at < height; at += 800) {
    await page.evaluate((y) => window.scrollTo(0, y), at)
    if (at > 0) await page.waitForTimeout(50)
    for (const one of await page.evaluate(outOfScreen)) found.add(one)
  }
  return [...found]
}

/** Runs in the page. */
function outOfScreen(): readonly string[] {
  const width = document.documentElement.clientWidth
  const isHeld = (element: Element): boolean => {
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return true
    return false
  }
  return Array.from(document.querySelectorAll<HTMLElement>('.vf-page *')).flatMap((element) => {
    const box = element.getBoundingClientRect()
    const isOut = box.width > 1 && box.height > 1 && (box.right > width + 0.5 || box.left < -0.5)
    if (!isOut || isHeld(element)) return []
    const widget = element.closest<HTMLElement>('[data-key]')
    return [
      `${widget?.dataset.widget} ${widget?.dataset.key} ${element.tagName}.${element.className} ${Math.round(box.left)}–${Math.round(box.right)}`,
    ]
  })
}
