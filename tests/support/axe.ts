import axe from 'axe-core'
import type { Page } from 'playwright-core'

const SERIOUS = new Set(['serious', 'critical'])
/** Maximum places reported per rule. */
const TOLD = 3

interface Looks {
  /** Selectors of the checked parts; default: the whole page. */
  readonly within?: readonly string[]
  /** Default: all. */
  readonly rules?: readonly string[]
}

/**
 * Violations that axe rates serious or critical, one line each. Its half a megabyte is loaded into a document once, and only
 * violations are requested: the rest is most of the time that its own browser driver takes.
 */
export async function seriousFaults(
  page: Page,
  { within = [], rules = [] }: Looks = {},
): Promise<readonly string[]> {
  for (const frame of page.frames())
    if (await frame.evaluate(() => !('axe' in window))) await frame.evaluate(axe.source)
  const found = await page.evaluate(
    async ([selectors, only]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        selectors.length > 0 ? { include: [...selectors] } : document,
        {
          resultTypes: ['violations'],
          ...(only.length > 0 ? { runOnly: { type: 'rule', values: [...only] } } : {}),
        },
      )
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      }))
    },
    [within, rules] as const,
  )
  return found
    .filter(({ impact }) => SERIOUS.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, TOLD)
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    )
}
