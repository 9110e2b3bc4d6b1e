import { fileTypeFromBuffer } from 'file-type'

/** Default limit per file. */
export const FILE_LIMIT_BYTES = 5 * 1024 * 1024

export interface FileKind {
  readonly ext: string
  readonly mime: string
  /** Displayed in the browser; everything else is sent as an attachment. */
  readonly inline: boolean
}

/** Types that may be uploaded, identified by content. No SVG or HTML: they can contain code. */
const IMAGES: ReadonlySet<string> = new Set(['jpg', 'png', 'gif', 'webp', 'bmp', 'heic', 'avif'])
const OTHERS: ReadonlySet<string> = new Set(
  'pdf docx xlsx pptx cfb odt ods odp rtf zip rar 7z mp3 m4a wav ogg amr mp4 mov webm'.split(' '),
)
/** Old Office files share one container format; for them the name decides among these. */
const CFB_NAMES: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}
const PLAIN_TEXT: ReadonlySet<string> = new Set(['txt', 'csv', 'md', 'json'])

/** Identifies the type of a file by its content; null if it may not be uploaded. The name only decides what the content cannot. */
export async function fileKind(content: Buffer, name: string): Promise<FileKind | null> {
  const named = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const found = await fileTypeFromBuffer(content)
  if (found === undefined) {
    const charset = PLAIN_TEXT.has(named) ? charsetOf(content) : null
    return charset === null ? null : { ext: named, mime: `text/plain; charset=${charset}`, inline: false }
  }
  if (IMAGES.has(found.ext)) return { ext: found.ext, mime: found.mime, inline: true }
  if (!OTHERS.has(found.ext)) return null
  const office = found.ext === 'cfb' ? CFB_NAMES[named] : undefined
  return office === undefined
    ? { ext: found.ext, mime: found.mime, inline: false }
    : { ext: named, mime: office, inline: false }
}

/** The encoding of a text: sheets saved as text often use the encoding of a Chinese Windows. Null if it is not text. */
function charsetOf(content: Buffer): 'utf-8' | 'gb18030' | null {
  if (content.includes(0)) return null
  return (['utf-8', 'gb18030'] as const).find((charset) => isText(content, charset)) ?? null
}

function isText(content: Buffer, charset: string): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(content)
    return true
  } catch {
    return false
  }
}
