// Guest side, part 4: calling hooks. The host hands over compiled functions by name and calls them with one JSON text.
;(kit) => {
  const { ask } = kit
  const { parse } = JSON
  const { apply } = Reflect
  const hooks = { __proto__: null }

  kit.define = (slot, hook) => {
    hooks[slot] = hook
  }

  const told = (error) => {
    if (error instanceof Error) return `${error.name}: ${error.message}`
    return String(error)
  }
  /** The verdict of a validation: `callback()` and `callback(new Error(text))` as on PC, `true` / `false` / text as on mobile. */
  const verdict = (args) => {
    const [error] = args
    if (args.length === 0 || error === undefined || error === null || error === '' || error === true)
      return true
    return error instanceof Error ? error.message : error === false ? false : String(error)
  }

  kit.invoke = (json) => {
    const { id, slot, self, args, wanted } = parse(json)
    let open = wanted
    const answer = (value) => {
      if (!open) return
      open = false
      ask('@answer', [id, value])
    }
    const fail = (error) => {
      open = false
      ask('@failed', [id, told(error)])
    }
    const places = {
      form: () => kit.refTo('form', ''),
      message: () => kit.message,
      callback:
        () =>
        (...given) =>
          answer(verdict(given)),
    }
    const values = args.map((arg) => ('place' in arg ? places[arg.place]() : arg.json))
    const self_ = self === null ? null : kit.refTo(self.kind, self.key)
    const result = apply(hooks[slot], self_, values)
    if (result !== null && typeof result === 'object' && typeof result.then === 'function') {
      result.then((value) => value !== undefined && answer(value), fail)
    } else if (result !== undefined) answer(result)
  }
}
