import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { linkToOwn } from '../../kernel/notices/links.ts'
import type { Teamed, Teams } from '../../kernel/records/team.ts'
import { refuseUnable } from './behaviour.ts'
import { findOwnInScope, findOwnRecord, type StoredRecord } from './record.ts'

/** The teams of a module's records. @throws Refusal 404 if it has none */
export function ownTeams(module: MergedModule): Teams {
  refuseUnable(module, 'team')
  return {
    entity: ownRights(module.name),
    seen: async (id, ctx, lock) => teamed(await findOwnRecord(module, id, ctx, lock)),
    inScope: async (id, ctx) => teamed(await findOwnInScope(module, id, ctx, 'edit')),
    announcementFor: (id) => ({
      entity: 'record',
      ids: [id],
      link: linkToOwn(module.name, [id]),
      what: labelText(module.label),
    }),
  }
}

const teamed = ({ title, owner_id }: StoredRecord): Teamed => ({ name: title, owner_id })
