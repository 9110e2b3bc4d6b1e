import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const SERIOUS = ['serious', 'critical']
const SOURCE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Maximum places reported per rule. */
const TOLD = 3

/** axe in the page. A rule with a rating gives it to all its findings. */
type Tool = typeof axe & { readonly _audit: { readonly rules: readonly { id: string; impact: string }[] } }

interface Looks {
  /** Selectors of the checked parts; default: the whole page. */
  readonly within?: readonly string[]
  /** Default: all. */
  readonly rules?: readonly string[]
}

/**
 * Violations that axe rates serious or critical, one line each. Its half a megabyte is loaded into a document once, rules that it rates lower are
 * not run, and only violations are requested: the rest is most of the time that its own browser driver takes.
 */
export async function seriousFaults(
  page: Page,
  { within = [], rules = [] }: Looks = {},
): Promise<readonly string[]> {
  for (const frame of page.frames())
    if (await frame.evaluate(() => !('axe' in window))) await frame.evaluate(SOURCE)
  const found = await page.evaluate(
    async ([selectors, only, serious]) => {
      const { axe: tool } = window as unknown as { axe: Tool }
      const slight = tool._audit.rules.filter(({ impact }) => !serious.includes(impact))
      const { violations } = await tool.run(selectors.length > 0 ? { include: [...selectors] } : document, {
        resultTypes: ['violations'],
        ...(only.length > 0
          ? { runOnly: { type: 'rule', values: [...only] } }
          : { rules: Object.fromEntries(slight.map(({ id }) => [id, { enabled: false }])) }),
      })
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      }))
    },
    [within, rules, SERIOUS] as const,
  )
  return found
    .filter(({ impact }) => SERIOUS.includes(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, TOLD)
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    )
}
