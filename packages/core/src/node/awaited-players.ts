/** Functions that are called when a player is heard again on this node. Who registers a function also ends its wait. */
export class AwaitedPlayers {
  private readonly byScope = new Map<string, Set<() => void>>()

  /** Registers a function for several players, by their scopes. Returns the function that ends the wait. */
  add(scopes: readonly string[], tell: () => void): () => void {
    const once = () => {
      end()
      tell()
    }
    const end = () => {
      for (const scope of scopes) {
        const waiting = this.byScope.get(scope)
        waiting?.delete(once)
        if (waiting?.size === 0) this.byScope.delete(scope)
      }
    }
    for (const scope of scopes) this.byScope.set(scope, (this.byScope.get(scope) ?? new Set()).add(once))
    return end
  }

  /** Calls the functions that wait for this player, each once. */
  hear(scope: string): void {
    for (const once of [...(this.byScope.get(scope) ?? [])]) once()
  }
}
