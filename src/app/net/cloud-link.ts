import { failure } from '../../../runtime/core/errors.ts'
import type {
  Http,
  HttpRequest,
  HttpResponse,
  Outcome,
  StoredFiles,
  UploadRequest,
} from '../../../runtime/core/ports.ts'

/** What `cloud:` addresses of data sources and upload widgets do; in a chunk of its own, fetched with the first of them. */
export interface CloudCalls extends StoredFiles {
  call(request: HttpRequest): Promise<Outcome<HttpResponse>>
  upload(request: UploadRequest): Promise<Outcome<HttpResponse>>
  /** Throws the cloud's login token away. */
  forgetLogin(): Promise<void>
}

export interface CloudLink {
  readonly http: Http
  /** Where files of the cloud's storage can be fetched now. */
  readonly files: StoredFiles
  /** Another user or tenant: the cloud's token goes, too (SHELL 6). */
  forgetLogin(): void
}

const isCloud = (url: string) => url.startsWith('cloud:')

/** Lets `cloud:` addresses go to the cloud and everything else to `http`. Fails as a lost network while the chunk does not come. */
export function linkCloud(http: Http, load: () => Promise<CloudCalls>): CloudLink {
  let loading: Promise<CloudCalls> | undefined
  let loaded: CloudCalls | undefined

  async function open(): Promise<CloudCalls> {
    loading ??= load()
    try {
      loaded = await loading
      return loaded
    } catch (cause) {
      loading = undefined
      throw cause
    }
  }

  async function through(
    act: (calls: CloudCalls) => Promise<Outcome<HttpResponse>>,
  ): Promise<Outcome<HttpResponse>> {
    try {
      return await act(await open())
    } catch (cause) {
      return { ok: false, error: failure('NETWORK', undefined, { cause }) }
    }
  }
  return {
    http: {
      send: (request) =>
        isCloud(request.url) ? through((calls) => calls.call(request)) : http.send(request),
      upload: (request) =>
        isCloud(request.url) ? through((calls) => calls.upload(request)) : http.upload(request),
    },
    files: {
      known: (id) => loaded?.known(id),
      find: async (id) => {
        const calls = await open().catch(() => undefined)
        return calls?.find(id) ?? null
      },
    },
    forgetLogin: () => void loading?.then((calls) => calls.forgetLogin()).catch(() => undefined),
  }
}
