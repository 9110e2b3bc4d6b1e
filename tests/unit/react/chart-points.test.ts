import { expect, it } from 'vitest'
import { drawChart } from '../../../runtime/react/charts/draw.ts'

const LOOK = {
  text: '#333333',
  quiet: '#999999',
  line: '#eeeeee',
  fill: '#ffffff',
  palette: ['#1677ff', '#00b578', '#ff8f1f', '#8a38f5', '#13c2c2', '#ff3141'],
  fontSize: 12,
  fontFamily: 'sans-serif',
  language: 'zh-CN',
}
const [WIDTH, HEIGHT] = [320, 220]

function drawn(kind: string, ...series: readonly (readonly (number | null)[])[]) {
  const labels = ['一月', '二月', '三月']
  const all = series.map((values, at) => ({ name: `第${at}列`, filter: '', tone: '', values }))
  const data = { labels, series: all }
  return drawChart({ kind, data, look: LOOK, width: WIDTH, height: HEIGHT })
}
const at = (picture: ReturnType<typeof drawn>, x: number, y = HEIGHT / 2) => picture.pointAt({ x, y })

it('an axis of counts has integer ticks', () => {
  const words = (...values: number[]) => decodeURIComponent(drawn('bar', values).src)
  expect(words(1, 1, 1)).not.toMatch(/>0\.\d+</)
  expect(words(0.5, 1, 1)).toMatch(/>0\.\d+</)
})

it('a tap on a bar returns its index and that of its series', () => {
  const picture = drawn('bar', [10, 20, 30], [5, 5, 5])
  const found = Array.from({ length: WIDTH }, (_, x) => at(picture, x))
  const inOrder = found.filter((point, x) => JSON.stringify(point) !== JSON.stringify(found[x - 1]))

  expect(inOrder).toEqual([0, 1, 2].flatMap((place) => [0, 1].map((series) => ({ at: place, series }))))
})

it('a tap on a line chart returns the nearest point', () => {
  const picture = drawn('line', [100, 100, 100], [0, 0, 0])

  expect(at(picture, WIDTH / 2, 40)).toEqual({ at: 1, series: 0 })
  expect(at(picture, WIDTH / 2, HEIGHT - 40)).toEqual({ at: 1, series: 1 })
})

it('a ring and missing values link to no records', () => {
  expect(at(drawn('ring', [70]), WIDTH / 2)).toBeNull()
  expect(at(drawn('bar', [1, null, 3]), WIDTH / 2)).toBeNull()
})

it('a funnel is read from the top', () => {
  const picture = drawn('funnel', [30, 20, 10])

  expect([20, HEIGHT / 2, HEIGHT - 20].map((y) => at(picture, WIDTH / 2, y)?.at)).toEqual([0, 1, 2])
})

it('every bar shows its full name, wrapped if bars are close; some day labels are omitted', () => {
  const picture = (labels: readonly string[]) => {
    const series = [{ name: '金额', filter: '', tone: '', values: labels.map((_, n) => n + 1) }]
    const { src } = drawChart({
      kind: 'bar',
      data: { labels, series },
      look: LOOK,
      width: WIDTH,
      height: HEIGHT,
    })
    return [...decodeURIComponent(src).matchAll(/<text[^>]*>([^<]*)<\/text>/g)]
      .map(([, word]) => word)
      .join('')
  }
  const reasons = [
    '价格太高',
    '功能不足',
    '竞争对手',
    '预算取消',
    '关系不到位',
    '交付能力',
    '其他原因',
    '没有回应',
  ]
  for (const reason of reasons) expect(picture(reasons)).toContain(reason)

  // A name that contains a digit is not a day.
  const products = [
    '数据看板 专业版',
    '工业网关 G5',
    '手持数据终端 T2',
    '3M 专用贴膜',
    '年度运维',
    '现场实施',
  ]
  for (const product of products)
    expect(picture(products).replace(/\s/g, '')).toContain(product.replace(/\s/g, ''))

  const days = Array.from({ length: 30 }, (_, n) => `11-${String(n + 1).padStart(2, '0')}`)
  expect(picture(days)).toContain('11-01')
  expect(picture(days)).not.toContain('11-02')
})
