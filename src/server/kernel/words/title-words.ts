/** What people call the column that names a record, alone or after what the record is: 名称, 客户名称. */
export const TITLE_WORDS: readonly string[] = ['名称', '标题', '主题']
