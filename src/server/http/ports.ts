import { createServer } from 'node:net'
import type { Config } from '../kernel/config/config.ts'

/** Where a server listens, with the names of the settings that say so. */
interface Listener {
  readonly port: number
  readonly host: string
  readonly settings: { readonly port: string; readonly host: string }
}

const listenerOf = ({ port, host }: Config): Listener => ({
  port,
  host,
  settings: { port: 'PORT', host: 'HOST' },
})

const metricsListenerOf = (place: { readonly port: number; readonly host: string }): Listener => ({
  port: place.port,
  host: place.host,
  settings: { port: 'METRICS_PORT', host: 'METRICS_HOST' },
})

/** @throws Error that names the setting and a way on, before a start that takes long, if the server could not listen */
export async function refuseUnusablePorts(config: Config): Promise<void> {
  const { metrics } = config
  await tryListening(listenerOf(config))
  if (metrics !== null && metrics.port !== null)
    await tryListening(metricsListenerOf({ port: metrics.port, host: metrics.host }))
}

/** A port may be taken between that check and the end of the start. @throws Error with the same sentence */
export const listenOnPort = (config: Config, listen: () => Promise<unknown>): Promise<unknown> =>
  listen().catch((error) => Promise.reject(listenError(error, listenerOf(config))))

/** The same for the port of `/metrics`. */
export const listenOnMetricsPort = <T>(
  place: { readonly port: number; readonly host: string },
  listen: () => Promise<T>,
): Promise<T> => listen().catch((error) => Promise.reject(listenError(error, metricsListenerOf(place))))

async function tryListening(listener: Listener): Promise<void> {
  const server = createServer()
  await new Promise<void>((done, fail) => {
    server.once('error', (error) => fail(listenError(error, listener)))
    server.listen(listener.port, listener.host, done)
  })
  await new Promise((done) => server.close(done))
}

/** The error of listening in words for the operator; other errors are returned unchanged. */
function listenError(error: NodeJS.ErrnoException, { port, host, settings }: Listener): Error {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `${settings.port} ${port} on ${host} is in use by another process: end it, or choose another ${settings.port}`,
    EACCES: `this user may not listen on ${settings.port} ${port}: choose one from 1024 on`,
    EADDRNOTAVAIL: `${settings.host} ${host} is no address of this machine: 127.0.0.1 is for this machine alone, 0.0.0.0 for all its addresses`,
    ENOTFOUND: `${settings.host} ${host} is no name that this machine knows: use an address, as 127.0.0.1 or 0.0.0.0`,
  }
  const sentence = sentences[error.code ?? '']
  return sentence === undefined ? error : new Error(sentence, { cause: error })
}
