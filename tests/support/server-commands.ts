/** Commands of operators, as scripts of package.json and as files of `dist/server`. */
export const SERVER_COMMANDS = [
  'setup',
  'password',
  'migrate',
  'backup',
  'restore',
  'status',
  'files',
  'tenant',
  'person',
] as const
