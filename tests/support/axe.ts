import axe from 'axe-core'
import type { Page } from 'playwright-core'

const SERIOUS = new Set(['serious', 'critical'])
/** Places told of one rule, at most. */
const TOLD = 3

interface Looks {
  /** Selectors of what is looked at; default: the whole page. */
  readonly within?: readonly string[]
  /** Default: all. */
  readonly rules?: readonly string[]
}

/**
 * What axe calls serious or critical, one line for each place. Its half a megabyte is brought into a document once, and it is asked for
 * nothing but faults: that is most of what its own driver for browsers spends.
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
