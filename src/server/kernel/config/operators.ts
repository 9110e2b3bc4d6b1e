/**
 * Accounts that see the operator's page: `account@tenant`, separated by commas. The tenant is part of the name, because the administrator of any
 * tenant may create an account with any name.
 *
 * @throws Error with a sentence for the operator
 */
export function readOperators(text = ''): ReadonlySet<string> {
  const names = text.split(/[\s,]+/).filter((one) => one !== '')
  const wrong = names.find((name) => !/^[^@]+@[^@]+$/.test(name))
  if (wrong !== undefined) throw new Error(`OPERATORS: ${wrong} is not like account@tenant`)
  return new Set(names)
}
