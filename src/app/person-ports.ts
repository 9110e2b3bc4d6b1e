import { failure } from '../../runtime/core/errors.ts'
import type { Ports, Text } from '../../runtime/core/ports.ts'
import { feedbackIn } from './feedback.ts'
import { answerChoice, type LocalChoice } from './local-choices.ts'

/** The ports of a page that is opened now: what still runs in it when another person has taken over goes nowhere. */
export function personPorts(
  ports: Ports,
  parts: {
    /** The texts of the page's language. */
    readonly text: Text
    readonly choices: Readonly<Record<string, LocalChoice>>
    /** Whether whoever opened the page is still the one who is signed in. */
    readonly isStill: () => boolean
  },
): Ports {
  const { text, choices, isStill } = parts
  const over = async () => ({ ok: false as const, error: { ...failure('ABORTED'), shown: true } })
  const { send, upload } = ports.http
  return {
    ...ports,
    text,
    feedback: feedbackIn(text, ports.feedback),
    http: {
      send: (request) => (isStill() ? (answerChoice(choices, ports.text, request) ?? send(request)) : over()),
      upload: (request) => (isStill() ? upload(request) : over()),
    },
  }
}
