import ConfigProvider from 'antd-mobile/es/components/config-provider'
import zhCN from 'antd-mobile/es/locales/zh-CN'
import type { ReactNode } from 'react'

/** The words that antd-mobile's own parts bring along, in Chinese. Stands once around the app. */
export function AntdLocale({ children }: { readonly children: ReactNode }) {
  return <ConfigProvider locale={zhCN}>{children}</ConfigProvider>
}
