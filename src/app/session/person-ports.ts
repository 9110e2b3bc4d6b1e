import { failure } from '../../../runtime/core/errors.ts'
import type { HttpRequest, HttpResponse, Outcome, Ports, Text } from '../../../runtime/core/ports.ts'
import { feedbackIn } from '../device/feedback.ts'
import { answerChoice, type LocalChoice } from './local-choices.ts'

/** The ports of a page for the user who opens it: calls that run on after another user has signed in have no effect. */
export function personPorts(
  ports: Ports,
  parts: {
    /** The texts of the page's language. */
    readonly text: Text
    readonly choices: Readonly<Record<string, LocalChoice>>
    /** Other addresses that the device answers; null for those it does not. */
    readonly local: (request: HttpRequest) => Promise<Outcome<HttpResponse>> | null
    /** Whether the user who opened the page is still signed in. */
    readonly isStill: () => boolean
  },
): Ports {
  const { text, choices, local, isStill } = parts
  const aborted = async () => ({ ok: false as const, error: { ...failure('ABORTED'), shown: true } })
  const { send, upload } = ports.http
  return {
    ...ports,
    text,
    feedback: feedbackIn(text, ports.feedback),
    http: {
      send: (request) =>
        isStill()
          ? (answerChoice(choices, ports.text, request) ?? local(request) ?? send(request))
          : aborted(),
      upload: (request) => (isStill() ? upload(request) : aborted()),
    },
  }
}
