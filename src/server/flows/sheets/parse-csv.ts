import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import type { ReadCell, ReadRow, SheetLimits } from './parse-sheet.ts'
import { MAX_CELL, MAX_TEXT, UnreadableFile } from './unreadable-file.ts'

/** Maximum bytes of a row; an unclosed quote makes one row of the whole file. */
const MAX_ROW = 1_000_000
/** Characters that are processed at once. */
const PIECE = 65_536
/** Maximum columns of spreadsheet programs: they also write columns that are empty in every row. */
const MAX_COLUMNS = 16_384
const DELIMITERS = [',', ';', '\t'] as const
/** A line that declares the separator, read by spreadsheet programs and written above the titles by others. */
const SAID = /^sep=(.)\r?\n/

/**
 * Reads rows of texts: in UTF-8 or GB18030, separated by commas, semicolons or tabs. Rows are passed on as they end, empty ones are left out.
 *
 * @throws UnreadableFile
 */
export async function parseCsv(
  content: Buffer,
  limits: SheetLimits,
  onRow: (row: ReadRow) => void,
): Promise<void> {
  const written = decode(content)
  const match = SAID.exec(written)
  const body = match === null ? written : written.slice(match[0].length)
  const parser = parse({
    delimiter: match?.[1] ?? delimiterOf(body),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW,
  })
  const read = createReader(limits, onRow)
  try {
    await pipeline(pieces(body), parser, async (rows: AsyncIterable<readonly string[]>) => {
      for await (const row of rows) read(row)
    })
  } catch (error) {
    throw error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE'
      ? new UnreadableFile('cell')
      : error
  }
}

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE)
}

function createReader(limits: SheetLimits, onRow: (row: ReadRow) => void): (row: readonly string[]) => void {
  let at = 0
  let textLeft = MAX_TEXT
  return (row) => {
    at += 1
    if (row.length > MAX_COLUMNS) throw new UnreadableFile('columns')
    const cells = row.map(cellOf)
    while (cells.length > 0 && cells.at(-1) === null) cells.pop()
    if (cells.length === 0) return
    if (cells.length > limits.columns) throw new UnreadableFile('columns')
    if (at > limits.rows) throw new UnreadableFile('rows')
    for (const cell of cells) {
      const { length } = String(cell ?? '')
      if (length > MAX_CELL) throw new UnreadableFile('cell')
      textLeft -= length
    }
    if (textLeft < 0) throw new UnreadableFile('text')
    onRow({ at, cells })
  }
}

/** `="0012"` is how programs preserve the leading zeros of a number. */
function cellOf(written: string): ReadCell {
  const text = written.replace(/^="([^"]*)"$/, '$1').trim()
  return text === '' ? null : text
}

/** The separator that occurs most often in the titles, outside quotes. */
function delimiterOf(written: string): string {
  const titles = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/
    .exec(written.slice(0, PIECE))?.[0]
    .replace(/"(?:[^"]|"")*"/g, '')
  const count = (sign: string) => (titles ?? '').split(sign).length
  return [...DELIMITERS].sort((a, b) => count(b) - count(a))[0] ?? ','
}

/** Characters that do not occur in texts: then the file is something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_TEXT = /[\u0000-\u0008\u000e-\u001f]/

/** @throws UnreadableFile for a file that is not text */
function decode(content: Buffer): string {
  for (const encoding of ['utf-8', 'gb18030'])
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(content)
      if (text.trim() === '' || NO_TEXT.test(text)) break
      return text
    } catch {
      // Another encoding, or none.
    }
  throw new UnreadableFile('unreadable')
}
