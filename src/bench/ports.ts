import { browserPorts } from '../../runtime/browser/browser-ports.ts'
import { failure } from '../../runtime/core/errors.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import texts from '../../schemas/text/zh-hans.json'
import { script } from '../app/device/script.ts'

const noNetwork = async () => ({ ok: false as const, error: failure('NETWORK') })

/** The ports of the benchmark: real texts, clock and scripts, no network; every confirmation is accepted. */
export const benchPorts: Ports = browserPorts({
  texts,
  given: {
    script,
    http: { send: noNetwork, upload: noNetwork },
    feedback: {
      toast() {},
      loading: () => () => {},
      modal: async () => ({ confirm: true }),
      actionSheet: async () => -1,
    },
  },
})
