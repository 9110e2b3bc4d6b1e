export interface RestartParts {
  /** Ends the running server; resolves once it has ended, or at once if there is none. */
  readonly stop: () => Promise<void>
  readonly start: () => void
}

/** What a watching build says and does. */
export interface Restarts {
  began(): void
  /** @param isGood  false: the build failed, and the result of the one before stays */
  ended(isGood: boolean): void
}

/** Restarts the server after each build; while the next build has begun already, its end is waited for. */
export function createRestarts({ stop, start }: RestartParts): Restarts {
  let isBuilding = false
  let isDue = false
  let isStopping = false
  const restart = async (): Promise<void> => {
    if (isStopping || isBuilding || !isDue) return
    isStopping = true
    await stop()
    isStopping = false
    if (isBuilding) return
    isDue = false
    start()
  }
  return {
    began() {
      isBuilding = true
    },
    ended(isGood) {
      isBuilding = false
      isDue ||= isGood
      void restart()
    },
  }
}
