import type { Watch } from './support.ts'

/** Receives each statement with the role it runs under; '' before a role was set. */
export const watchRoles =
  (hear: (role: string, text: string) => void): Watch =>
  (source) => ({
    ...source,
    async acquire(isPatient) {
      const connection = await source.acquire(isPatient)
      let role = ''
      return {
        ...connection,
        begin(settings) {
          role = settings.fixed.role ?? ''
          return connection.begin(settings)
        },
        query(text, parameters) {
          hear(role, text)
          return connection.query(text, parameters)
        },
      }
    },
  })
