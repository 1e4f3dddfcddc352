/** The roles that a player accepts, best first; undefined when the player accepts every role. */
export type Wish = readonly string[] | undefined

/**
 * The seats of one team by role, which are taken player by player. A seated player may move to another accepted role so
 * that a further player gets a seat.
 */
export class RoleSeats {
  private constructor(
    private readonly places: ReadonlyMap<string, number>,
    private readonly seated: Map<string, Wish[]>,
  ) {}

  static of(places: ReadonlyMap<string, number>): RoleSeats {
    return new RoleSeats(places, new Map([...places.keys()].map((role) => [role, []])))
  }

  copy(): RoleSeats {
    return new RoleSeats(this.places, new Map([...this.seated].map(([role, wishes]) => [role, [...wishes]])))
  }

  /**
   * Seats one more player and returns true when all players can have an accepted role (an augmenting path over the
   * roles). Otherwise changes nothing and returns false.
   */
  seat(wish: Wish): boolean {
    return this.place(wish, new Set())
  }

  private place(wish: Wish, tried: Set<string>): boolean {
    for (const role of wish ?? this.places.keys()) {
      const here = this.seated.get(role)
      if (!here || tried.has(role)) continue
      tried.add(role)
      if (here.length < (this.places.get(role) ?? 0)) {
        here.push(wish)
        return true
      }
      for (let place = 0; place < here.length; place++) {
        if (this.place(here[place], tried)) {
          here[place] = wish
          return true
        }
      }
    }
    return false
  }
}
