import type { Feedback } from '../../../runtime/core/ports.ts'
import { downloadFile } from '../../../runtime/net/download.ts'
import { saveFile } from '../../../runtime/react/kit/save-file.ts'

/**
 * Fetches a document from our own server and opens it in a window. If windows are blocked, or the server sends it as an attachment, it is downloaded.
 *
 * @returns false if there is nothing to show: a status other than 2xx, an empty file, no network (SHELL 6)
 */
export async function openDocument(url: string, feedback: Feedback): Promise<boolean> {
  if (isElsewhere(url)) {
    // With `noopener` neither the contents nor a blocked window can be detected, so only the address is checked.
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

/** Another origin, or a local file that was never uploaded: the content security policy forbids fetching either. */
function isElsewhere(url: string): boolean {
  const { origin, protocol } = new URL(url, location.href)
  return protocol === 'blob:' || origin !== location.origin
}

function isInline(headers: Readonly<Record<string, string>>): boolean {
  return headers['content-disposition']?.startsWith('attachment') !== true
}

/** False if the browser blocks new windows. */
function openApart(url: string): boolean {
  const opened = open(url, '_blank')
  if (opened) opened.opener = null
  return opened !== null
}
