import type { Feedback } from '../../../runtime/core/ports.ts'
import { downloadFile } from '../../../runtime/net/download.ts'
import { saveFile } from '../../../runtime/react/kit/save-file.ts'

/**
 * Fetches a document of our own server and opens it in a window; where windows are blocked, or the server wants it saved, it is saved.
 *
 * @returns false when there is nothing to see: another status than 2xx, an empty file, a lost network (SHELL 6)
 */
export async function openDocument(url: string, feedback: Feedback): Promise<boolean> {
  if (isElsewhere(url)) {
    // Neither what is there nor whether a window opened can be seen: only the address is judged.
    open(url, '_blank', 'noopener')
    return true
  }
  const hide = feedback.loading()
  const file = await downloadFile({ url })
  hide()
  if (!file.ok || file.value.blob.size === 0) return false
  if (!isInline(file.value.headers) || !openApart(url)) saveFile(file.value.blob, file.value.name)
  return true
}

/** Another origin, or a file of this page that was never sent: our policy lets nothing be fetched from there. */
function isElsewhere(url: string): boolean {
  const { origin, protocol } = new URL(url, location.href)
  return protocol === 'blob:' || origin !== location.origin
}

function isInline(headers: Readonly<Record<string, string>>): boolean {
  return headers['content-disposition']?.startsWith('attachment') !== true
}

/** False when the browser blocks new windows. */
function openApart(url: string): boolean {
  const opened = open(url, '_blank')
  if (opened) opened.opener = null
  return opened !== null
}
