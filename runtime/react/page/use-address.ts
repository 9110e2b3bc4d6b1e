import { useEffect, useState } from 'react'
import { isStoredFile } from '../../core/data/stored-file.ts'
import { useEngine } from './page-context.ts'

const NONE: ReadonlyMap<string, string> = new Map()

/**
 * Resolves addresses for the browser: ids of a storage become their current address, '' until it is known. A resolved address is kept as long as the
 * view is mounted, since its content is loaded by then.
 */
export function useAddresses(addresses: readonly string[]): readonly string[] {
  const { files, device } = useEngine().ports
  const [found, setFound] = useState(NONE)
  const missing = addresses.filter((address) => isStoredFile(address) && !found.has(address)).join('\n')
  useEffect(() => {
    if (missing === '' || !files) return
    let isUnmounted = false
    for (const id of missing.split('\n')) {
      void files.find(id).then((url) => {
        if (!isUnmounted && url !== null) setFound((before) => new Map([...before, [id, url]]))
      })
    }
    return () => {
      isUnmounted = true
    }
  }, [files, missing])
  return addresses.map((address) =>
    isStoredFile(address)
      ? (found.get(address) ?? files?.known(address) ?? '')
      : (device.served?.(address) ?? address),
  )
}

/** {@link useAddresses} of one. */
export function useAddress(address: string): string {
  return useAddresses([address])[0] ?? ''
}
