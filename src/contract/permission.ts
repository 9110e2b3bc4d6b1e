/**
 * True when somebody who holds `held` may do `asked`.
 * @param asked  `module:action`, or `module:*` for anything of the module
 */
export function holdsPermission(held: Iterable<string>, asked: string): boolean {
  const [module = '', action] = asked.split(':')
  if (action !== '*') return new Set(held).has(asked)
  return [...held].some((one) => one.startsWith(`${module}:`))
}
