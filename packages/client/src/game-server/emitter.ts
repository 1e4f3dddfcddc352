type Listener<Message> = (message: Message) => unknown

/**
 * Listeners by event. An exception in a listener becomes an uncaught exception, as in Node's own emitters, but the
 * other listeners still run.
 */
export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<Listener<never>>>()

  /** Adds a listener. Returns a function that removes it. */
  on<Event extends keyof Events>(event: Event, listener: Listener<Events[Event]>): () => void {
    const all = this.listeners.get(event) ?? new Set()
    this.listeners.set(event, all)
    // Each call makes a new function, so that a listener that is added twice is called twice.
    const own = (message: Events[Event]) => listener(message)
    all.add(own)
    return () => void all.delete(own)
  }

  emit<Event extends keyof Events>(event: Event, message: Events[Event]): void {
    for (const listener of this.of(event)) {
      try {
        const result = listener(message)
        // A rejected promise of a listener becomes an unhandled rejection by itself.
        void result
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  of<Event extends keyof Events>(event: Event): readonly Listener<Events[Event]>[] {
    return [...(this.listeners.get(event) ?? [])] as Listener<Events[Event]>[]
  }
}
