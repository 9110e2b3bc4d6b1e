import type { Provider, ProviderTools } from './provider.ts'
import { alipayProvider } from './providers/alipay.ts'
import { aliyunProvider } from './providers/aliyun.ts'
import { privateProvider } from './providers/private.ts'
import { type TencentProvider, tencentProvider } from './providers/tencent.ts'
import type { CloudSpace } from './space.ts'

/** Creates the adapter for the provider of a space. */
export function makeProvider(space: CloudSpace, tools: ProviderTools): Provider | TencentProvider {
  switch (space.provider) {
    case 'aliyun':
      return aliyunProvider(space, tools)
    case 'tencent':
    case 'tcb':
      return tencentProvider(space, tools)
    case 'alipay':
      return alipayProvider(space, tools)
    case 'dcloud':
    case 'private':
      return privateProvider(space, tools)
  }
}
