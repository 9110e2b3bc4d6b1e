import sax, { type SAXOptions } from 'sax'
import { UnreadableFile } from './unreadable-file.ts'

/** Events while reading a part; names have no prefix. */
export interface XmlListener {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (piece: string) => void
  readonly close?: (name: string) => void
}

// The parser limits names and attributes (64 KB) by the position it has reached.
const OPTIONS: SAXOptions & { readonly strictEntities: boolean } = { position: true, strictEntities: true }
/** Maximum nesting of tags. */
const MAX_DEPTH = 50

/** Parses a part as a stream. Only XML's five predefined entities, no DTD. @throws UnreadableFile if it is not well-formed XML in UTF-8 */
export async function readXml(chunks: AsyncIterable<Buffer>, listener: XmlListener): Promise<void> {
  const { open, text, close } = listener
  const parser = sax.parser(true, OPTIONS)
  parser.onerror = () => {
    throw new UnreadableFile('unreadable')
  }
  parser.ondoctype = () => {
    throw new UnreadableFile('unreadable')
  }
  let depth = 0
  parser.onopentag = ({ name, attributes }) => {
    depth += 1
    if (depth > MAX_DEPTH) throw new UnreadableFile('unreadable')
    open?.(localName(name), attributes as Record<string, string>)
  }
  parser.onclosetag = (name) => {
    depth -= 1
    close?.(localName(name))
  }
  if (text) {
    parser.ontext = text
    parser.oncdata = text
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of chunks) parser.write(decoded(decoder, chunk))
  // A character that the end cuts off.
  parser.write(decoded(decoder))
  parser.close()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** @param chunk  absent: the end */
function decoded(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw new UnreadableFile('unreadable')
  }
}
