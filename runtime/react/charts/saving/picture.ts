import { drawChart } from '../draw.ts'
import { lookOf } from '../look.ts'
import type { ShownChart } from '../shown-charts.ts'

const WIDTH = 640
const GAP = 24
const HEAD = 44
const LINE = 22
const COLUMNS = 2
/** Pixels of the picture per px on the screen. */
const SHARP = 2

/** Several charts on one picture, each with its title above and its numbers below. */
export async function pictureOf(charts: readonly ShownChart[], title: string, root: Element): Promise<Blob> {
  const look = lookOf(root)
  const ground = getComputedStyle(root).getPropertyValue('--vf-card').trim() || '#ffffff'
  const heights = charts.map((chart) => HEAD + chart.height + LINE * (linesOf(chart).length + 1))
  const columns = Math.min(COLUMNS, Math.max(1, charts.length))
  const tops: number[] = []
  const filled: number[] = Array.from({ length: columns }, () => HEAD + GAP)
  for (const [at, height] of heights.entries()) {
    const column = at % columns
    tops.push(filled[column] ?? 0)
    filled[column] = (filled[column] ?? 0) + height + GAP
  }
  const canvas = document.createElement('canvas')
  canvas.width = (columns * (WIDTH + GAP) + GAP) * SHARP
  canvas.height = (Math.max(...filled) + GAP) * SHARP
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('no picture can be drawn here')
  pen.scale(SHARP, SHARP)
  pen.fillStyle = ground
  pen.fillRect(0, 0, canvas.width, canvas.height)
  const write = (words: string, x: number, y: number, size: number, colour: string) => {
    pen.font = `${size}px ${look.fontFamily}`
    pen.fillStyle = colour
    pen.fillText(words, x, y, WIDTH)
  }
  write(title, GAP, GAP + 16, 20, look.text)
  for (const [at, chart] of charts.entries()) {
    const x = GAP + (at % columns) * (WIDTH + GAP)
    const y = tops[at] ?? 0
    write(chart.label, x, y + 20, 16, look.text)
    const { src } = drawChart({
      kind: chart.kind,
      data: chart.data,
      look,
      width: WIDTH,
      height: chart.height,
    })
    pen.drawImage(await imageOf(src), x, y + HEAD - 12, WIDTH, chart.height)
    for (const [line, words] of linesOf(chart).entries())
      write(words, x, y + HEAD + chart.height + LINE * (line + 1) - 6, 13, look.quiet)
  }
  return new Promise((done, fail) =>
    canvas.toBlob(
      (blob) => (blob === null ? fail(new Error('the picture is too large')) : done(blob)),
      'image/png',
    ),
  )
}

const MAX_LINES = 12

/** The numbers as lines of text. */
function linesOf({ data: { labels, series }, label, write }: ShownChart): readonly string[] {
  return (labels.length > 0 ? labels : [label])
    .slice(0, MAX_LINES)
    .map(
      (name, at) =>
        `${name}   ${series.map((one) => `${one.name} ${write(one.values[at] ?? null, one.filter)}`).join('   ')}`,
    )
}

async function imageOf(src: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = src
  await image.decode()
  return image
}
