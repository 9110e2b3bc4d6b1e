import { useEffect, useState } from 'react'
import { isStoredFile } from '../../core/data/stored-file.ts'
import { useEngine } from './page-context.ts'

const NONE: ReadonlyMap<string, string> = new Map()

/**
 * Addresses as a browser can fetch them: ids of a storage become the address they have now, empty until it is known. An address
 * that was found stays as long as the view does: what it shows has been fetched by then.
 */
export function useAddresses(addresses: readonly string[]): readonly string[] {
  const { files, device } = useEngine().ports
  const [found, setFound] = useState(NONE)
  const wanted = addresses.filter((one) => isStoredFile(one) && !found.has(one)).join('\n')
  useEffect(() => {
    if (wanted === '' || !files) return
    let gone = false
    for (const id of wanted.split('\n')) {
      void files.find(id).then((url) => {
        if (!gone && url !== null) setFound((before) => new Map([...before, [id, url]]))
      })
    }
    return () => {
      gone = true
    }
  }, [files, wanted])
  return addresses.map((one) =>
    isStoredFile(one) ? (found.get(one) ?? files?.known(one) ?? '') : (device.served?.(one) ?? one),
  )
}

/** {@link useAddresses} of one. */
export function useAddress(address: string): string {
  return useAddresses([address])[0] ?? ''
}
