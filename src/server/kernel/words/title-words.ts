/** The label of the column that names a record, alone or after the label of the record: 名称, 客户名称. */
export const TITLE_WORDS: readonly string[] = ['名称', '标题', '主题']
