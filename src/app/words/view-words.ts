import words from '../../../schemas/text/zh-hans.json'

/** Texts of the base language for views that are loaded on demand: in a build only those that nothing else says (`tools/view-words.ts`). */
export default words
