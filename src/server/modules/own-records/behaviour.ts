import type { MergedModule } from '../../../model/merge-module.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** What its records do only where a module says so, and the sentence for where it does not. */
const SENTENCES = { star: 'own.no-star', team: 'own.no-team', pool: 'own.no-pool' } as const

/** @throws Refusal 404 where records of the module have nothing of the behaviour */
export function refuseUnable(
  { behaviours }: Pick<MergedModule, 'behaviours'>,
  behaviour: keyof typeof SENTENCES,
): void {
  if (!behaviours.includes(behaviour)) refuse(404, 'NOT_FOUND', text(SENTENCES[behaviour]))
}
