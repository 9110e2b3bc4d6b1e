import ConfigProvider from 'antd-mobile/es/components/config-provider'
import zhCN from 'antd-mobile/es/locales/zh-CN'
import type { ReactNode } from 'react'
import type { AntdWords } from './antd-words.ts'

interface AntdLocaleProps {
  readonly children: ReactNode
  /** Default: Chinese. */
  readonly words?: AntdWords | null
}

/** The texts of antd-mobile's components. Wraps the app, and each page, which may be in another language. */
export function AntdLocale({ children, words }: AntdLocaleProps) {
  return <ConfigProvider locale={words ?? zhCN}>{children}</ConfigProvider>
}
