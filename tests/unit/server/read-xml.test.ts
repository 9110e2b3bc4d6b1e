import { expect, it } from 'vitest'
import { readXml } from '../../../src/server/flows/sheets/read-xml.ts'
import { UnreadableFile } from '../../../src/server/flows/sheets/unreadable-file.ts'

async function textOf(...chunks: readonly Buffer[]): Promise<string> {
  let read = ''
  const text = (piece: string): void => {
    read += piece
  }
  await readXml(
    (async function* () {
      yield* chunks
    })(),
    { text },
  )
  return read
}
const XML = Buffer.from('<a>世</a>')

it('reads a character that two parts share', async () => {
  expect(await textOf(XML.subarray(0, 4), XML.subarray(4))).toBe('世')
})

it.each([
  ['cut off within a character', [XML, Buffer.from([0xe4, 0xb8])]],
  ['with a byte that begins no character', [XML, Buffer.from([0xff])]],
  ['cut off within a tag', [XML.subarray(0, 8)]],
])('refuses XML %s', async (_, chunks) => {
  await expect(textOf(...chunks)).rejects.toThrow(UnreadableFile)
})
