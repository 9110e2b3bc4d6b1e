// Guest side, part 4: `axios` and `fetch`, for URLs of declared data sources. The page sends the request.
;(kit) => {
  const { stringify, parse } = JSON
  const RealPromise = Promise
  const { freeze } = Object

  const send = (as, { url, method, params, data }) =>
    kit.request('callUrl', [as, String(url), String(method ?? 'get'), params ?? null, data ?? null])

  const isAbsolute = (url) => /^([a-z][a-z\d+.-]*:)?\/\//i.test(url)
  function create(defaults) {
    const full = (config) => {
      const { baseURL = defaults.baseURL, url = '' } = config
      const joined = baseURL === undefined || isAbsolute(url) ? url : `${baseURL}/${url}`
      return { ...defaults, ...config, url: joined.replace(/([^:])\/{2,}/g, '$1/') }
    }
    const run = (config) =>
      send('axios', full(config)).then((answer) => ({ ...answer, statusText: '', config }))
    const axios = (first, second) => run(typeof first === 'string' ? { ...second, url: first } : { ...first })
    axios.request = (config) => run({ ...config })
    for (const method of ['get', 'delete', 'head', 'options'])
      axios[method] = (url, config) => run({ ...config, url, method })
    for (const method of ['post', 'put', 'patch'])
      axios[method] = (url, data, config) => run({ ...config, url, data, method })
    axios.create = (more) => create({ ...defaults, ...more })
    axios.all = (list) => RealPromise.all(list)
    return freeze(axios)
  }
  kit.axios = create({})

  const bodyOf = (body) => {
    if (typeof body !== 'string') return body
    try {
      return parse(body)
    } catch {
      return body
    }
  }
  kit.fetch = (url, init) =>
    send('fetch', { url, method: init?.method, data: bodyOf(init?.body) }).then(
      ({ status, headers, data }) => ({
        ok: status >= 200 && status < 300,
        status,
        headers: { get: (name) => headers[String(name).toLowerCase()] ?? null },
        json: async () => data,
        text: async () => (typeof data === 'string' ? data : stringify(data)),
      }),
    )
}
