import type { Page } from 'playwright-core'
import budgets from '../../src/bench/budgets.json'

/**
 * How many times as long as on the machine of the limits (`screens` in `src/bench/budgets.json`) this browser takes for a fixed piece of work; at
 * least 1. A limit in ms is multiplied by it: the machine of a run may be several times as slow, a screen may not.
 */
export async function pace(page: Page): Promise<number> {
  const took = await page.evaluate(fixedWork)
  const usual = took.reduce((sum, ms) => sum + ms, 0) / took.length
  console.log(`fixed work: ${usual.toFixed(0)} ms; the limits are for ${budgets.fixedWorkMs}`)
  return Math.max(1, usual / budgets.fixedWorkMs)
}

/** Builds, lays out and removes 400 cards twenty times, by the browser alone; runs in the browser. @returns ms of each time */
async function fixedWork(): Promise<readonly number[]> {
  const took: number[] = []
  for (let time = 0; time < 20; time += 1) {
    await new Promise((rested) => setTimeout(rested, 20))
    const start = performance.now()
    const host = document.createElement('div')
    host.style.cssText =
      'position:fixed;inset:0 auto auto 0;width:390px;height:844px;overflow:hidden;contain:strict'
    for (let card = 0; card < 400; card += 1) {
      const element = document.createElement('section')
      element.style.cssText = 'display:flex;flex-wrap:wrap;padding:12px'
      for (let cell = 0; cell < 8; cell += 1) {
        const label = document.createElement('span')
        label.textContent = JSON.stringify({ card, cell, at: card * cell })
        label.addEventListener('click', () => label.remove())
        element.append(label)
      }
      host.append(element)
    }
    document.body.append(host)
    host.getBoundingClientRect()
    host.remove()
    took.push(performance.now() - start)
  }
  return took
}
