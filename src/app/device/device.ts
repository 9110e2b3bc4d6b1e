import { isStoredFile } from '../../../runtime/core/data/stored-file.ts'
import type { Device, Feedback, StoredFiles, Text } from '../../../runtime/core/ports.ts'
import { withBasePath } from '../net/app-path.ts'

interface DeviceParts {
  readonly feedback: Feedback
  readonly text: Text
  readonly files: StoredFiles
}

/** The Device port in a browser. */
export function createDevice({ feedback, text, files }: DeviceParts): Device {
  const copy = async (value: string): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(value)
      return true
    } catch {
      return false
    }
  }
  return {
    dial(phone) {
      location.href = `tel:${phone.replace(/[^\d+*#]/g, '')}`
    },
    copy,
    addressOf,
    served: withBasePath,
    async share({ title, url }) {
      const address = addressOf(url)
      if (typeof navigator.share === 'function') {
        // Closing the share dialog rejects the promise, which is not an error.
        await navigator.share({ title, url: address }).catch(() => undefined)
        return
      }
      feedback.toast({ text: text((await copy(address)) ? 'device.copied' : 'device.copyFailed') })
    },
    async openDocument(address) {
      if (address.startsWith('geo:'))
        return (await import('./open-map.ts').catch(() => undefined))?.openMap(address) ?? false
      const url = isStoredFile(address) ? ((await files.find(address)) ?? '') : address
      if (!isWebUrl(url)) return false
      const opener = await import('./open-document.ts').catch(() => undefined)
      return opener?.openDocument(withBasePath(url), feedback) ?? false
    },
    async locate(from) {
      const finder = await import('./locate.ts').catch(() => undefined)
      return finder?.locate(from) ?? 'unavailable'
    },
  }
}

function addressOf(url: string): string {
  return new URL(`#${url}`, location.href).href
}

function isWebUrl(url: string): boolean {
  return (
    url !== '' &&
    URL.canParse(url, location.href) &&
    /^(https?|blob):$/.test(new URL(url, location.href).protocol)
  )
}
