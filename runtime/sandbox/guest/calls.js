// Guest side, part 6: calling hooks. The host passes compiled functions by name and calls them with one JSON text.
;(kit) => {
  const { ask } = kit
  const { parse } = JSON
  const { apply, defineProperty } = Reflect
  const hooks = { __proto__: null }

  kit.define = (slot, hook) => {
    hooks[slot] = hook
  }

  /** The engine's own message for a missing method does not name the method. */
  const explained = (error) => {
    if (error instanceof TypeError && error.message === 'not a function' && kit.missed !== undefined)
      defineProperty(error, 'message', { value: `${kit.missed} is not a function` })
    return error
  }
  const told = (error) => {
    if (error instanceof Error) return `${error.name}: ${error.message}`
    return String(error)
  }
  /** The result of a validation: `callback()` and `callback(new Error(text))` as on PC, `true` / `false` / text as on mobile. */
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
      ask('@failed', [id, told(explained(error))])
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
    // Code with a callback parameter answers through it, maybe later; other code has answered when it ends.
    const answersLater = args.some((arg) => arg.place === 'callback')
    const returned = (value) => {
      if (value !== undefined || !answersLater) answer(value ?? null)
    }
    const self_ = self === null ? null : kit.refTo(self.kind, self.key)
    const run = kit.handlerOf(slot.split(' ')[0], self) ?? hooks[slot]
    kit.missed = undefined
    let result
    try {
      result = apply(run, self_, values)
    } catch (error) {
      throw explained(error)
    }
    if (result !== null && typeof result === 'object' && typeof result.then === 'function') {
      result.then(returned, fail)
    } else returned(result)
  }
}
