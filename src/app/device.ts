import type { Device, Feedback, Text } from '../../runtime/core/ports.ts'
import type { TypedStorage } from './typed-storage.ts'

const DEVICE_ID = '__DC_STAT_UUID'
const MOBILE = /Android|iPhone|SymbianOS|Windows Phone|iPad|iPod/

/** True for a desktop browser (PLATFORM 5.2, 12.1). */
export function isPc(userAgent: string): boolean {
  return !MOBILE.test(userAgent)
}

/** This device's id, made once: milliseconds followed by a random number below 10 000 000 (PLATFORM 5.2). */
export function readDeviceId(storage: TypedStorage, now: () => number, random: () => number): string {
  const known = storage.get(DEVICE_ID)
  if (typeof known === 'string' && known !== '') return known
  const id = `${now()}${Math.floor(random() * 1e7)}`
  storage.set(DEVICE_ID, id)
  return id
}

/** The Device port on the browser. */
export function createDevice(feedback: Feedback, text: Text): Device {
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
    async share({ title, url }) {
      const address = new URL(`#${url}`, location.href).href
      if (typeof navigator.share === 'function') {
        // A share that the user closes is an answer, not a fault.
        await navigator.share({ title, url: address }).catch(() => undefined)
        return
      }
      feedback.toast({ text: text((await copy(address)) ? 'device.copied' : 'device.copyFailed') })
    },
    async openDocument(url) {
      if (!isWebUrl(url)) return false
      const { openDocument } = await import('./open-document.ts')
      return openDocument(url, feedback)
    },
  }
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url, location.href) && /^(https?|blob):$/.test(new URL(url, location.href).protocol)
}
