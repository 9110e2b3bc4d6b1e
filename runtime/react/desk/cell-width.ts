/** Padding of a cell in `records.css`, and a little for rounding. */
const BESIDE_PX = 22

let drawing: CanvasRenderingContext2D | null | undefined

/** Measures the width in px that a cell takes to show a number whole; 0 where nothing can be measured. */
export const cellWidth =
  (font: string) =>
  (text: string): number => {
    drawing ??= document.createElement('canvas').getContext('2d')
    if (drawing === null || drawing === undefined || font === '') return 0
    drawing.font = font
    // Digits of the table are all as wide as its zero.
    return Math.ceil(drawing.measureText(text.replace(/\d/g, '0')).width) + BESIDE_PX
  }
