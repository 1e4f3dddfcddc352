type EventMap<Events> = { [E in keyof Events]: readonly unknown[] }

/** Listeners by event name. */
export interface Emitter<Events extends EventMap<Events>> {
  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof Events>(name: E, listener: (...args: Events[E]) => void): () => void
  emit<E extends keyof Events>(name: E, ...args: Events[E]): void
}

export function emitter<Events extends EventMap<Events>>(): Emitter<Events> {
  const listeners: { [E in keyof Events]?: Set<(...args: Events[E]) => void> } = {}
  return {
    on(name, listener) {
      const set = listeners[name] ?? new Set()
      listeners[name] = set
      // A function that is added twice counts as two listeners.
      const mine: typeof listener = (...args) => listener(...args)
      set.add(mine)
      return () => {
        set.delete(mine)
      }
    },
    emit(name, ...args) {
      for (const listener of [...(listeners[name] ?? [])]) {
        try {
          listener(...args)
        } catch (error) {
          // An error in a listener must not stop the listeners after it, so it is reported as an uncaught exception.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
  }
}
