import type { Json } from '../../../../runtime/core/json.ts'
import type { Behaviour, ModuleDescription } from '../../../model/description.ts'

/** Behaviours that may come and go on the screens: what records have of them stays, and is there again with the behaviour. */
const SWITCHED: readonly Behaviour[] = ['follow', 'files', 'pool', 'team', 'star', 'tree', 'approval']

/** What a new module without a template begins with. */
export const USUAL: readonly Behaviour[] = ['follow', 'files']

/** Those of a module that its screens show as switched on. */
export const switchedOn = (behaviours: readonly Behaviour[]): readonly Behaviour[] =>
  SWITCHED.filter((one) => behaviours.includes(one))

/** The behaviours of a module as somebody chose them; what no screen switches stays. */
export const withSwitched = (
  behaviours: readonly Behaviour[],
  chosen: Json | undefined,
): readonly Behaviour[] => [
  ...behaviours.filter((behaviour) => !SWITCHED.includes(behaviour)),
  ...SWITCHED.filter((one) => Array.isArray(chosen) && chosen.includes(one)),
]

/** Who approves the records of a module until its flow is set on its screen. */
const FIRST_APPROVAL: NonNullable<ModuleDescription['approval']> = {
  steps: [{ kind: 'superior', mode: 'any' }],
}

/** How the records of a module with these behaviours are approved: as said before, or by the superior; undefined if they are not. */
export const approvalWith = (
  behaviours: readonly Behaviour[],
  before: ModuleDescription['approval'],
): ModuleDescription['approval'] => (behaviours.includes('approval') ? (before ?? FIRST_APPROVAL) : undefined)
