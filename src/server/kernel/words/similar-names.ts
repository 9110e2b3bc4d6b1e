import { grams } from './grams.ts'

/** Threshold from which names count as similar (DOMAIN 1.1.3). */
export const SIMILAR_FROM = 0.6

/** Shared 2-grams divided by all 2-grams: 1 for equal texts, 0 for texts with nothing in common. @see DOMAIN 1.1.3 */
export function similarity(a: string, b: string): number {
  const left = new Set(grams(a, 2))
  const right = new Set(grams(b, 2))
  const shared = [...left].filter((gram) => right.has(gram)).length
  const all = left.size + right.size - shared
  return all === 0 ? 0 : shared / all
}

/** Grams of names that are too frequent to be useful. */
const FREQUENT = new Set(
  '科技 有限 限公 公司 技有 贸易 实业 集团 股份 技术 电子 商贸 信息 网络 文化 传媒 工程 建设 建筑 机械 设备 食品 服务 管理 咨询 投资 发展 国际'.split(
    ' ',
  ),
)

/**
 * Grams of a name of which every similar name has at least one: it lacks at most two in five of them, so one more than that is enough for the search.
 * With all grams of a long name, the database would compare it with every customer instead of using the index.
 */
export function selectiveGrams(name: string): readonly string[] {
  const all = grams(name, 2)
  const maxMissing = all.length - Math.ceil(SIMILAR_FROM * all.length)
  return all.filter((gram) => !FREQUENT.has(gram)).slice(0, maxMissing + 1)
}
