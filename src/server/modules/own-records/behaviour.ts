import type { MergedModule } from '../../../model/merge-module.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Behaviours that a module must switch on, and the message if it has not. */
const SENTENCES = { star: 'own.no-star', team: 'own.no-team', pool: 'own.no-pool' } as const

/** @throws Refusal 404 if the module has not switched on the behaviour */
export function refuseUnable(
  { behaviours }: Pick<MergedModule, 'behaviours'>,
  behaviour: keyof typeof SENTENCES,
): void {
  if (!behaviours.includes(behaviour)) refuse(404, 'NOT_FOUND', text(SENTENCES[behaviour]))
}
