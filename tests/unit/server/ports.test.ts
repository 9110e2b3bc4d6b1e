import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { listenOnMetricsPort, listenOnPort, refuseUnusablePorts } from '../../../src/server/http/ports.ts'
import { type Config, readConfig } from '../../../src/server/kernel/config/config.ts'

it('a port that is taken says the same in the early check and when the server listens at last', async () => {
  const other = createServer()
  const port = await new Promise<number>((done) =>
    other.listen(0, '127.0.0.1', () => done((other.address() as { port: number }).port)),
  )
  const listen = () =>
    new Promise<never>((_, fail) => {
      const server = createServer()
      server.once('error', fail)
      server.listen(port, '127.0.0.1')
    })
  const config = (env: Record<string, string>): Config =>
    readConfig({ APP_ROOT: '/tmp', DATA_DIR: '/tmp/none', ...env })
  const sentence = (name: string) =>
    `${name} ${port} on 127.0.0.1 is in use by another process: end it, or choose another ${name}`
  const taken = config({ PORT: String(port) })

  await expect(refuseUnusablePorts(taken)).rejects.toThrow(sentence('PORT'))
  await expect(listenOnPort(taken, listen)).rejects.toThrow(sentence('PORT'))
  await expect(listenOnMetricsPort({ port, host: '127.0.0.1' }, listen)).rejects.toThrow(
    sentence('METRICS_PORT'),
  )
  other.close()
})
