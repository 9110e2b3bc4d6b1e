import { createHttp } from '../../../runtime/net/http.ts'
import { connectSocket } from '../../../runtime/net/socket.ts'

const http = createHttp()

/** The browser's real transports, driven by the test. */
const net = {
  /** Uploads a file of that many bytes. */
  async upload(url: string, bytes: number, abortAfterMs?: number, timeoutMs?: number) {
    const progress: number[] = []
    const controller = new AbortController()
    if (abortAfterMs !== undefined) setTimeout(() => controller.abort(), abortAfterMs)
    const outcome = await http.upload({
      url,
      file: { name: 'a.bin', size: bytes, type: '', handle: new Blob(['x'.repeat(bytes)]) },
      data: { kind: 'test' },
      headers: { 'X-Test': '1' },
      signal: controller.signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onProgress: (percent) => progress.push(percent),
    })
    return outcome.ok
      ? { data: outcome.value.data, progress }
      : { code: outcome.error.code, status: outcome.error.status, progress }
  },
  /** All events of one socket that sends `words` once it is open, and closes after the first answer. */
  socket(url: string, words: string, timeoutMs = 2_000) {
    const seen: string[] = []
    return new Promise<string[]>((resolve) => {
      const opened = connectSocket({
        url,
        timeoutMs,
        onOpen() {
          seen.push('open')
          if (opened.ok) opened.value.send(words)
        },
        onMessage(data) {
          seen.push(`message ${typeof data === 'string' ? data : data.byteLength}`)
          if (opened.ok) opened.value.close(1000, 'done')
        },
        onError: (error) => seen.push(`error ${error.code} ${error.status}`),
        onClose(code, reason) {
          seen.push(`close ${code} ${reason}`.trim())
          const late = opened.ok && opened.value.send('late')
          if (late && !late.ok) seen.push(`late ${late.error.status} ${late.error.message}`)
          resolve(seen)
        },
      })
      if (!opened.ok) resolve([`refused ${opened.error.status}`])
      else {
        const early = opened.value.send('early')
        if (!early.ok) seen.push(`early ${early.error.status}`)
      }
    })
  },
}
export type Net = typeof net
Object.assign(window, { net })
