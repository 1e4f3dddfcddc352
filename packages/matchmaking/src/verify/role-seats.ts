/** The roles a player takes, best first; undefined: any. */
export type Wish = readonly string[] | undefined

/** Places of one team by role, taken one after the other; a seated player may move to another role among its choices. */
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

  /** Seats one more player, where all of them can have a place they take: an augmenting path over the roles. Else nothing changes. */
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
