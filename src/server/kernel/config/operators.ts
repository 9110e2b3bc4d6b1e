/**
 * Who sees the operator's page: `account@tenant`, several with commas. The tenant is named with the account, for the administrator of any
 * tenant may make an account of any name.
 *
 * @throws Error with a sentence for the operator
 */
export function readOperators(text = ''): ReadonlySet<string> {
  const names = text.split(/[\s,]+/).filter((one) => one !== '')
  const wrong = names.find((one) => !/^[^@]+@[^@]+$/.test(one))
  if (wrong !== undefined) throw new Error(`OPERATORS: ${wrong} is not like account@tenant`)
  return new Set(names)
}
