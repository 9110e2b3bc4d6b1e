import { isShownInPart, rightName, rightsEntity } from '../../../model/field-rights.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Caller } from '../auth/caller.ts'
import { type FieldRights, withFollowing } from '../auth/field-rights.ts'
import type { TenantModel } from '../model/library.ts'

/** What a model says about the rights of callers, worked out once. */
interface Said {
  readonly shownInPart: ReadonlyMap<string, ReadonlySet<string>>
  readonly rights: WeakMap<FieldRights, FieldRights>
}

const known = new WeakMap<TenantModel, Said>()

/** The caller with what the tenant's modules say about their field rights: which further fields these cover, and which masked ones show a part. */
export function callerIn(caller: Caller, model: TenantModel): Caller {
  const { shownInPart, rights } = known.get(model) ?? readModel(model)
  const fieldRights = rights.get(caller.fieldRights) ?? withFollowing(caller.fieldRights, model.modules)
  rights.set(caller.fieldRights, fieldRights)
  return { ...caller, fieldRights, shownInPart }
}

function readModel(model: TenantModel): Said {
  const fields = (module: MergedModule) =>
    module.fields.flatMap((field) => (isShownInPart(field) ? [rightName(module, field)] : []))
  const said: Said = {
    shownInPart: new Map(
      [...model.modules.values()].map((module) => [rightsEntity(module), new Set(fields(module))]),
    ),
    rights: new WeakMap(),
  }
  known.set(model, said)
  return said
}
