/** Steps of one question; past them the answer is no. Matches of up to twenty parties never come near. */
const MAX_STEPS = 20_000

/**
 * Whether parties of these sizes (largest first) can be divided over `teams` teams so that each has between `least` and
 * `most` players.
 */
export const canDivide = (sizes: readonly number[], teams: number, least: number, most: number): boolean => {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total < teams * least || total > teams * most) return false
  if ((sizes[0] ?? 0) <= 1) return true
  const rooms = new Array<number>(teams).fill(0)
  let steps = 0
  const place = (index: number, left: number): boolean => {
    if (steps++ > MAX_STEPS) return false
    const size = sizes[index]
    if (size === undefined) return rooms.every((room) => room >= least)
    if (rooms.reduce((lack, room) => lack + Math.max(0, least - room), 0) > left) return false
    for (let team = 0; team < teams; team++) {
      const room = rooms[team] as number
      // Teams filled alike are alike.
      if (room + size > most || rooms.indexOf(room) < team) continue
      rooms[team] = room + size
      if (place(index + 1, left - size)) return true
      rooms[team] = room
    }
    return false
  }
  return place(0, total)
}
