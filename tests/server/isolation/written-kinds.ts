import type * as writeOnceModule from '../../../src/server/kernel/records/write-once.ts'

type Module = typeof writeOnceModule
type Kind = Pick<writeOnceModule.WriteKind, 'action' | 'entity'>

const kinds = new Map<string, Kind>()

/** What calls were about to write to the log so far, including those that were refused afterwards. */
export const writtenKinds = (): readonly Kind[] => [...kinds.values()]

/** Notes what is about to be written. For `vi.mock`. */
export function watchedWrites(real: Module): Module {
  const note = ({ action, entity }: Kind) => kinds.set(`${entity} ${action}`, { action, entity })
  return {
    ...real,
    writeOnce(database, request, kind, ...rest) {
      note(kind)
      return real.writeOnce(database, request, kind, ...rest)
    },
    audit(trx, request, kind, ...rest) {
      note(kind)
      return real.audit(trx, request, kind, ...rest)
    },
  }
}
