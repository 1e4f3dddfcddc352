type Listeners<Events extends { [E in keyof Events]: readonly unknown[] }> = {
  [E in keyof Events]?: Set<(...args: Events[E]) => void>
}

/** Listeners by the name of what they listen for. */
export class Emitter<Events extends { [E in keyof Events]: readonly unknown[] }> {
  private readonly listeners: Listeners<Events> = {}

  /** Answers how to stop listening. */
  on<E extends keyof Events>(name: E, listener: (...args: Events[E]) => void): () => void {
    const set = this.listeners[name] ?? new Set<(...args: Events[E]) => void>()
    this.listeners[name] = set
    // One function that listens twice is two listeners.
    const mine = (...args: Events[E]) => listener(...args)
    set.add(mine)
    return () => {
      set.delete(mine)
    }
  }

  emit<E extends keyof Events>(name: E, ...args: Events[E]): void {
    for (const listener of [...(this.listeners[name] ?? [])]) {
      try {
        listener(...args)
      } catch (error) {
        // A game's own mistake must not stop what is followed; it is reported as any uncaught one.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
