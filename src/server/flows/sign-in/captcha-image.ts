import { randomInt } from 'node:crypto'

type Point = readonly [number, number]

/** One stroke per digit, 0 to 9, on a 10 × 20 grid. Drawn, not written: the image holds no text to read. */
const STROKES = [
  '2,2 8,2 10,10 8,18 2,18 0,10 2,2',
  '2,5 6,1 6,19',
  '0,5 4,1 9,4 8,9 0,19 10,19',
  '1,2 9,2 4,9 9,13 7,18 0,18',
  '7,19 7,1 0,13 10,13',
  '9,1 2,1 1,9 7,9 10,14 6,19 0,18',
  '8,1 2,8 1,15 5,19 9,15 6,10 1,13',
  '0,1 10,1 4,19',
  '5,9 1,5 5,1 9,5 5,9 0,14 5,19 10,14 5,9',
  '9,7 5,10 1,6 5,1 9,5 9,10 5,19',
].map((stroke) =>
  stroke.split(' ').map((point): Point => [Number(point.split(',')[0]), Number(point.split(',')[1])]),
)

const WIDTH = 110
const HEIGHT = 40

/** Digits as a bent, crossed-out SVG drawing, in a `data:` address an `<img>` can show. */
export function drawDigits(digits: string): string {
  const drawn = [...digits].map((digit, index) => {
    const turn = randomInt(-18, 19)
    const place = `translate(${10 + index * 24 + randomInt(-2, 3)} ${8 + randomInt(-4, 5)}) rotate(${turn} 5 10) scale(1.25)`
    return path(STROKES[Number(digit)] ?? [], place, 2)
  })
  const noise = Array.from({ length: 5 }, () =>
    path(
      [0, 1, 2].map((step): Point => [(step * WIDTH) / 2, randomInt(HEIGHT)]),
      '',
      1,
    ),
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#f5f5f5"/>${shuffle([...drawn, ...noise]).join('')}</svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

function path(points: readonly Point[], transform: string, width: number): string {
  const shaken = points.map(([x, y]) => `${x + randomInt(-8, 9) / 10} ${y + randomInt(-8, 9) / 10}`)
  const colour = `hsl(${randomInt(360)} 60% 35%)`
  return `<path d="M${shaken.join('L')}" transform="${transform}" fill="none" stroke="${colour}" stroke-width="${width}"/>`
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: randomInt(1_000_000) }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
