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
        exec(text) {
          role = /set local role (\w+)/.exec(text)?.[1] ?? role
          return connection.exec(text)
        },
        query(text, parameters) {
          hear(role, text)
          return connection.query(text, parameters)
        },
      }
    },
  })
