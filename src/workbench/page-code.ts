import { HOOKS } from '../../runtime/core/hooks/hook-names.ts'

/** Every hook of a page, the shared code, and its CSS. */
export const PAGE_CODE: readonly string[] = [
  ...Object.keys(HOOKS).filter((name) => HOOKS[name]?.place === 'form'),
  'functions',
  'cssCode',
]
